import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthWire

/// The rehearsals of a model: versions run on the team's own images before they are released.
enum RehearsalPages {
    private static let pattern = "projects/{project}/models/{model}/rehearsals"

    static let routes: [ConsoleRoute] =
        ConsoleRoute.form(pattern, for: .publisher, show: list, submit: start) + [
            .page(pattern + "/{rehearsal}", for: .publisher, show)
        ]

    private static func list(_ request: PageRequest) throws -> Page {
        let model = try PageModel(request)
        let rehearsals = try request.api.call(RehearsalCalls.list, model.id).rehearsals ?? []
        let images = try request.api.call(RehearsalCalls.listImages, model.id).images ?? []
        let versions = try model.versions().filter { $0.verdict != "malformed" }
        return Page(
            "Rehearsals of \(model.name)", .models, above: model.above,
            commands: [
                ShellText.command("hearth", "models", "images", "add", model.name, "FOLDER"),
                ShellText.command("hearth", "models", "rehearse", model.name),
            ], isLive: rehearsals.contains { $0.state == "queued" || $0.state == "running" }
        ) {
            if images.isEmpty {
                div(.class("empty")) {
                    p { strong { "The model has no images yet." } }
                    p {
                        "A rehearsal runs a new version and the released one on your own images and shows what changed."
                    }
                    p { a(model.link("images"), .class("button primary")) { "Add images" } }
                }
            } else {
                p {
                    "The server rehearses each new version on the model's \(NumberText.count(images.count, "image")). "
                    a(model.link("images")) { "Add or remove images" }
                }
                if images.count < RehearsalLimits().leastImages {
                    p(.class("hint")) {
                        "A rehearsal needs at least \(RehearsalLimits().leastImages) images; with fewer, one image would decide."
                    }
                }
                if let rule = model.resource.hearth?.rehearsalRequire {
                    p {
                        "A rehearsal must show "; code { rule }; ". "; a(model.link("settings")) { "Change that" }
                    }
                    notes(rule, images)
                } else {
                    p { a(model.link("settings")) { "Set what a rehearsal must show" } }
                }
                starter(request, model, versions)
            }
            section(.id("list"), Attribute("data-live", if: true)) {
                if !rehearsals.isEmpty {
                    DataTable(
                        "Rehearsals, newest first",
                        ["Versions", "State", "Same answer", "Expected answer", "Requirements", "When", "By"]
                    )
                    .rows(rehearsals) { row(model, $0) }
                }
            }
        }
    }

    /// What the requirements cannot tell on these images.
    @MarkupBuilder
    private static func notes(_ rule: String, _ images: [RehearsalBodies.Image]) -> Markup {
        let counts = RehearsalCounts(images)
        // With fewer images, the page says already that nothing can be rehearsed.
        let notes = counts.areEnough ? (try? RehearsalGate(rule))?.notes(on: counts) ?? [] : []
        if !notes.isEmpty { ul(.class("hint")) { notes.map { line in li { line } } } }
    }

    private static func row(_ model: PageModel, _ item: RehearsalBodies.Rehearsal) -> [Markup] {
        let against = item.against.map { " against \($0)" } ?? ""
        let summary = item.summary
        return [
            a(model.link("rehearsals", item.rehearsal)) { "Version \(item.version)\(against)" },
            state(item),
            .text(
                summary.flatMap {
                    $0.compared > 0 ? NumberText.percent(Double($0.agreeing) / Double($0.compared)) : nil
                }
                    ?? "–"),
            .text(
                summary.flatMap {
                    $0.labeled > 0 ? NumberText.percent(Double($0.candidate.correct) / Double($0.labeled)) : nil
                } ?? "–"),
            item.verdict.map { $0.passes ? Badge.mark("met", .good) : Badge.mark("not met", .bad) } ?? .text("none"),
            Times.moment(item.createTime), .text(model.shortName(ofActor: item.createdBy)),
        ]
    }

    private static func state(_ item: RehearsalBodies.Rehearsal) -> Markup {
        switch item.state {
        case "done":
            item.isOutdated == true ? Badge.mark("done, with other images", .warning) : Badge.mark("done", .good)
        case "failed": Badge.mark("failed", .bad)
        case "running":
            .joined {
                "running: \(item.finishedRuns ?? 0) of \(item.runs ?? 0) "
                Markup.element(
                    "progress",
                    [
                        Attribute("max", "\(max(1, item.runs ?? 1))"), .value("\(item.finishedRuns ?? 0)"),
                        .label("Runs that are over"),
                    ], .text(""))
            }
        default: Badge.mark(item.state, .neutral)
        }
    }

    private static func starter(
        _ request: PageRequest, _ model: PageModel, _ versions: [ReleaseBodies.Version]
    ) -> Markup {
        form(request, model.link("rehearsals"), .class("actions")) {
            label(for: "version") { "Version" }
            select(.id("version"), .name("version")) {
                versions.map {
                    option(
                        "\($0.version)", "Version \($0.version)",
                        isSelected: request.fields["version"] == "\($0.version)")
                }
            }
            label(for: "against") { "against" }
            select(.id("against"), .name("against")) {
                option("", "the released version", isSelected: request.fields["against"].isEmpty)
                versions.map {
                    option(
                        "\($0.version)", "Version \($0.version)",
                        isSelected: request.fields["against"] == "\($0.version)")
                }
            }
            button { "Rehearse" }
        }
    }

    private static func start(_ request: PageRequest) throws -> ConsoleRoute.Answer {
        let model = try PageModel(request)
        let fields = request.fields
        let started = try request.api.call(
            RehearsalCalls.start, model.id,
            body: RehearsalBodies.StartRequest(
                version: try fields.number("version", "The version"),
                against: try fields.number("against", "The other version")))
        return .redirect(model.link("rehearsals", started.rehearsal).done(.started))
    }

    private static func show(_ request: PageRequest) throws -> Page {
        let model = try PageModel(request)
        let item = try request.api.call(RehearsalCalls.get, model.id, request.path["rehearsal"])
        let against = item.against.map { ", against version \($0)" } ?? ""
        return Page(
            "Rehearsal of version \(item.version)\(against)", .models,
            above: model.above + [("Rehearsals", model.link("rehearsals"))],
            commands: [ShellText.command("hearth", "models", "rehearse", model.name, "--version", "\(item.version)")],
            isLive: item.state == "queued" || item.state == "running"
        ) {
            section(.id("state"), Attribute("data-live", if: true)) {
                p {
                    state(item); " "; Times.moment(item.createTime); " by \(item.createdBy)"
                }
                if let failure = item.failure { p(.class("problem")) { failure } }
                if let verdict = item.verdict {
                    div(.class(verdict.passes ? "notice" : "problem")) {
                        p { (verdict.passes ? "It meets " : "It does not meet ") + verdict.require + "." }
                        if let failures = verdict.failures { ul { failures.map { line in li { line } } } }
                    }
                    if let notes = verdict.notes { ul(.class("hint")) { notes.map { line in li { line } } } }
                }
                // A reader who waits for the result gets it without a reload.
                if let summary = item.summary { RehearsalView(item, summary, request, model).markup }
            }
        }
    }
}

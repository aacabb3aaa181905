import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthWire

/// One model: what devices get, its releases, its versions, and what can be done with it.
enum ModelPages {
    static let routes: [ConsoleRoute] =
        [.page("projects/{project}/models/{model}", show)]
        + ConsoleRoute.form(
            "projects/{project}/models/{model}/settings", for: .publisher, show: settings, submit: change)
        + ConsoleRoute.form("projects/{project}/models/{model}/delete", for: .publisher, show: deletion, submit: delete)
        + ConsoleRoute.form(
            "projects/{project}/models/{model}/unpublish", for: .publisher, show: unpublishing, submit: unpublish)

    private static func show(_ request: PageRequest) throws -> Page {
        let model = try PageModel(request)
        let versions = try model.versions()
        let releases = try model.releases()
        let experiments = try ExperimentMentions.varying(model, request)
        return Page(
            model.name, .models, above: [("Models", request.link("models"))],
            commands: [
                ShellText.command("hearth", "models", "show", model.name),
                ShellText.command("hearth", "models", "versions", model.name),
                ShellText.command("hearth", "releases", "list", model.name),
            ],
            isLive: releases.contains { $0.state != "ended" && $0.share < 1 }
                || versions.contains { $0.verdict == "pending" }
        ) {
            section(.id("state"), Attribute("data-live", if: true)) {
                p {
                    ModelListPages.state(model.resource)
                }
                tags(model.resource.tags ?? [])
                notes(model)
                if request.may(.publisher) { way(model, versions) }
            }
            if request.may(.publisher) { actions(request, model, versions, releases) }
            section(.id("releases"), Attribute("data-live", if: true)) {
                h2 { "What devices get" }
                ReleaseStack(releases.filter { $0.state != "ended" }, model).markup
            }
            experiments.markup
            nav(.class("actions"), .label("Pages of the model")) {
                a(model.link("devices"), .class("button")) { "Devices and health" }
                a(model.link("try"), .class("button")) { "Try on an image" }
                if versions.count > 1 { a(model.link("compare"), .class("button")) { "Compare versions" } }
                if request.may(.publisher) { a(model.link("rehearsals"), .class("button")) { "Rehearsals" } }
            }
            section(.id("versions"), Attribute("data-live", if: true)) {
                h2 { "Versions" }
                versionTable(versions, model)
                file(versions)
            }
            ended(releases.filter { $0.state == "ended" }, model)
        }
    }

    /// In words: as marks they would look like states.
    @MarkupBuilder
    private static func tags(_ tags: [String]) -> Markup {
        if !tags.isEmpty {
            p(.class("faint")) { "\(NumberText.noun(tags.count, "Tag")): \(tags.joined(separator: ", "))" }
        }
    }

    @MarkupBuilder
    private static func notes(_ model: PageModel) -> Markup {
        if let detail = model.resource.hearth?.validationDetail {
            p(.class("problem")) { "The newest version cannot be published: \(detail)" }
        }
        if let warning = model.resource.hearth?.warning { p(.class("hint")) { warning } }
        if let version = model.resource.hearth?.publishWhenValidated {
            p(.class("hint")) { "Version \(version) is published when its check has passed." }
        }
        if model.resource.hearth?.fileMissing == true {
            p(.class("problem")) {
                "The server does not have the file of the newest version any more. Upload the same file again, or restore a backup."
            }
        }
    }

    /// What to do about a model that has no sound version: its first file was none, and has taken the name.
    @MarkupBuilder
    private static func way(_ model: PageModel, _ versions: [ReleaseBodies.Version]) -> Markup {
        if !versions.isEmpty, versions.allSatisfy({ $0.verdict == "malformed" }) {
            let next = (versions.map(\.version).max() ?? 0) + 1
            div(.class("hint")) {
                p {
                    """
                    No device can get \(model.name): no file of it is a TensorFlow Lite model. Upload a sound file, \
                    or delete the model, which frees its name.
                    """
                }
                div(.class("actions")) {
                    a(model.link("upload"), .class("button primary")) { "Upload a sound file as version \(next)" }
                    a(model.link("delete"), .class("button danger")) { "Delete the model" }
                }
            }
        }
    }

    /// To release a version, or to change the release that it has. Only what is new stands out.
    private static func release(
        _ version: Int, _ releases: [ReleaseBodies.Release], _ model: PageModel
    ) -> Markup {
        let own = releases.filter { $0.version == version }
        if let present = own.first(where: { $0.state != "ended" }) {
            guard present.share < 1 else { return .empty }
            return a(model.link("releases", "\(present.release)", "share"), .class("button primary")) {
                "Change the share of version \(version)"
            }
        }
        return a(
            model.link("releases", "new").with([("version", "\(version)")]),
            .class(own.isEmpty ? "button primary" : "button")
        ) {
            "Release version \(version)" + (own.isEmpty ? "" : " again")
        }
    }

    private static func actions(
        _ request: PageRequest, _ model: PageModel, _ versions: [ReleaseBodies.Version],
        _ releases: [ReleaseBodies.Release]
    ) -> Markup {
        div(.class("actions")) {
            if let newest = versions.first, newest.verdict != "malformed" {
                release(newest.version, releases, model)
            }
            a(model.link("upload"), .class("button")) { "Upload a new version" }
            if model.released != nil { a(model.link("rollback"), .class("button")) { "Roll back" } }
            if model.resource.state?.published == true {
                a(model.link("unpublish"), .class("button")) { "Unpublish" }
            }
            a(model.link("settings"), .class("button")) { "Settings" }
        }
    }

    /// The bytes of the newest version: after an upload, those that the server packed or received.
    @MarkupBuilder
    private static func file(_ versions: [ReleaseBodies.Version]) -> Markup {
        if let newest = versions.first {
            p(.class("faint")) {
                "SHA-256 of version \(newest.version): "; code { newest.modelHash }
            }
        }
    }

    private static func versionTable(_ versions: [ReleaseBodies.Version], _ model: PageModel) -> Markup {
        DataTable(
            "Versions, newest first", ["Version", "Check", "Size", "Time per run", "Memory", "Uploaded", "By", "Note"]
        )
        .rows(versions) { version in
            [
                .joined {
                    a(model.link("versions", "\(version.version)")) { "Version \(version.version)" }
                    (version.aliases ?? []).map { alias in
                        Markup.joined {
                            " "; Badge.mark(alias, .neutral)
                        }
                    }
                },
                VerdictBadge.badge(version),
                .text(Int64(version.sizeBytes).map(NumberText.bytes) ?? version.sizeBytes),
                .text(version.figures.map { NumberText.milliseconds($0.medianMicroseconds) } ?? "–"),
                .text(version.figures.map { NumberText.bytes(Int64($0.peakMemoryBytes)) } ?? "–"),
                Times.moment(version.createTime), .text(model.shortName(ofActor: version.createdBy)),
                .text(version.note ?? ""),
            ]
        }
    }

    @MarkupBuilder
    private static func ended(_ releases: [ReleaseBodies.Release], _ model: PageModel) -> Markup {
        if !releases.isEmpty {
            details {
                summary { "Releases that have ended (\(releases.count))" }
                DataTable(
                    "Releases that have ended",
                    ["Release", "Version", "Kind", "Share at the end", "Began", "Ended", "By"]
                )
                .rows(Array(releases.prefix(100))) { release in
                    [
                        a(model.link("releases", "\(release.release)")) { "Release \(release.release)" },
                        .text("\(release.version)"), .text(release.kind), .text(SharePercent.text(release.share)),
                        Times.moment(release.createTime), Times.moment(release.endTime),
                        .text(model.shortName(ofActor: release.createdBy)),
                    ]
                }
            }
        }
    }
}

/// Settings, and the end of a model.
extension ModelPages {
    private static func settings(_ request: PageRequest) throws -> Page {
        let model = try PageModel(request)
        let hearth = model.resource.hearth
        func value(_ name: String, _ present: String) -> String { request.fields.raw(name) ?? present }
        let isSent = request.head.method == .post
        // After a change of the requirements was sent, and not refused.
        let isAsked = isSent && request.problem == nil
        let errors = try GateView(
            isSent ? request.fields["rehearsal"] : hearth?.rehearsalRequire, of: model, request)
        return Page(
            "Settings of \(model.name)", .models, above: model.above,
            commands: [
                ShellText.command("hearth", "models", "rename", model.name, "NEW-NAME"),
                ShellText.command("hearth", "models", "set", model.name, "--contract-check", "refuse"),
                ShellText.command("hearth", "models", "gate", model.name),
            ]
        ) {
            if isAsked {
                p(.class("notice"), Attribute("role", "status")) {
                    "Nothing is saved yet: below, see how often the new requirements err on the model's images, and save again."
                }
            }
            form(request, model.link("settings")) {
                if isSent, errors != nil {
                    input(.type("hidden"), .name("seen-rehearsal"), .value(request.fields["rehearsal"]))
                }
                Field.text(
                    "name", "Name", value: value("name", model.name),
                    hint: """
                        1 to 32 letters, digits, hyphens or underscores. Apps ask for the model by this name: with \
                        another name they get nothing.
                        """
                )
                Field.text(
                    "tags", "Tags", value: value("tags", (model.resource.tags ?? []).joined(separator: ", ")),
                    hint: "With commas between them.")
                Field.choice(
                    "contract", "A version with another contract than the released one",
                    [("warn", "gives a warning"), ("refuse", "is refused")],
                    selected: value("contract", hearth?.contractCheck ?? "warn"))
                Field.text(
                    "rehearsal", "What a rehearsal must show",
                    value: value("rehearsal", hearth?.rehearsalRequire ?? ""),
                    hint: """
                        Such as shown-loss=1%: refuses if the images show that more than one point of the expected \
                        answers is lost. Empty for nothing.
                        """
                )
                errors?.markup
                Field.choice(
                    "rehearsal-check", "A version whose rehearsal shows less",
                    [("warn", "gives a warning"), ("refuse", "is refused")],
                    selected: value("rehearsal-check", hearth?.rehearsalCheck ?? "warn"))
                button(.class("primary")) { "Save" }
            }
            h2 { "Delete the model" }
            p { "All versions, releases and counts of the model disappear." }
            p { a(model.link("delete"), .class("button")) { "Delete \(model.name)" } }
        }
    }

    private static func change(_ request: PageRequest) throws -> ConsoleRoute.Answer {
        let model = try PageModel(request)
        var wanted = ModelResource()
        wanted.displayName = request.fields["name"]
        wanted.tags = request.fields["tags"].split(separator: ",").map { $0.filter { !$0.isWhitespace } }.filter {
            !$0.isEmpty
        }
        var hearth = ModelResource.HearthFields()
        hearth.contractCheck = request.fields["contract"]
        hearth.rehearsalRequire = request.fields["rehearsal"]
        hearth.rehearsalCheck = request.fields["rehearsal-check"]
        wanted.hearth = hearth
        // Only what the form changes, so that a rule about a field that stays does not refuse the others.
        var mask: [String] = []
        let present = model.resource
        if wanted.displayName != present.displayName { mask.append("displayName") }
        if Set(wanted.tags ?? []) != Set(present.tags ?? []) { mask.append("tags") }
        if hearth.contractCheck != present.hearth?.contractCheck ?? "warn" { mask.append("hearth.contractCheck") }
        if hearth.rehearsalRequire != present.hearth?.rehearsalRequire ?? "" { mask.append("hearth.rehearsalRequire") }
        if hearth.rehearsalCheck != present.hearth?.rehearsalCheck ?? "warn" { mask.append("hearth.rehearsalCheck") }
        guard !mask.isEmpty else { return .redirect(model.link()) }
        // Before new requirements are saved, the page says how often they err.
        let gate = request.fields["rehearsal"]
        if mask.contains("hearth.rehearsalRequire"), (try? RehearsalGate(gate)) != nil,
            request.fields["seen-rehearsal"] != gate
        {
            return .page(try settings(request))
        }
        try send(wanted, mask, to: model, request)
        return .redirect(model.link().done(.saved))
    }

    private static func deletion(_ request: PageRequest) throws -> Page {
        let model = try PageModel(request)
        let versions = try model.versions().count
        return Page(
            "Delete \(model.name)", .models, above: model.above,
            commands: [ShellText.command("hearth", "models", "delete", model.name)]
        ) {
            p {
                "This deletes the model '\(model.name)' with \(NumberText.count(versions, "version")), its releases and its counts. "
                "Devices that have a version keep it; no device gets one any more. It cannot be undone."
            }
            form(request, model.link("delete")) {
                Field.text("confirm", "Write the model's name to confirm", value: request.fields["confirm"])
                div(.class("actions")) {
                    button(.class("danger")) { "Delete \(model.name) for good" }
                    a(model.link()) { "Keep it" }
                }
            }
        }
    }

    private static func delete(_ request: PageRequest) throws -> ConsoleRoute.Answer {
        let model = try PageModel(request)
        guard request.fields["confirm"] == model.name else {
            throw APIFailure(status: 400, message: "The name '\(request.fields["confirm"])' is not '\(model.name)'.")
        }
        try request.api.send(ModelCalls.delete, model.id)
        return .redirect(request.link("models").done(.deleted))
    }

    private static func unpublishing(_ request: PageRequest) throws -> Page {
        let model = try PageModel(request)
        return Page(
            "Unpublish \(model.name)", .models, above: model.above,
            commands: [ShellText.command("hearth", "models", "unpublish", model.name)]
        ) {
            p { "All releases of the model end, and no device gets it any more. Devices that have a version keep it." }
            form(request, model.link("unpublish")) {
                div(.class("actions")) {
                    button(.class("danger")) { "Unpublish \(model.name)" }
                    a(model.link()) { "Keep it published" }
                }
            }
        }
    }

    private static func unpublish(_ request: PageRequest) throws -> ConsoleRoute.Answer {
        let model = try PageModel(request)
        var wanted = ModelResource()
        wanted.state = ModelResource.State(published: false)
        try send(wanted, ["state.published"], to: model, request)
        return .redirect(model.link().done(.unpublished))
    }

    /// - Throws: `APIFailure`, also for an operation that failed, whose answer has the status 200.
    private static func send(
        _ wanted: ModelResource, _ mask: [String], to model: PageModel, _ request: PageRequest
    ) throws {
        let operation = try request.api.call(
            ModelCalls.update, model.id, query: [("updateMask", mask.joined(separator: ","))], body: wanted)
        guard let error = operation.error else { return }
        throw APIFailure(
            status: error.code.flatMap(CanonicalStatus.init(rpcCode:))?.httpStatus ?? 500, message: error.message)
    }
}

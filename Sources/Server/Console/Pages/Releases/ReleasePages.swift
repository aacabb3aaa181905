import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthWire

/// One release while it goes: its share over time, what its guards see, and what stops it.
enum ReleasePages {
    private static let pattern = "projects/{project}/models/{model}/releases/{release}"

    static let routes: [ConsoleRoute] =
        [
            .page(pattern) { try show($0, PageModel($0), number: $0.path["release"]) },
            .action(pattern + "/pause") { try act($0, ReleaseCalls.pause, .paused) },
            .action(pattern + "/resume") { try act($0, ReleaseCalls.resume, .resumed) },
            .action(pattern + "/link", submit: share),
        ] + ConsoleRoute.form(pattern + "/share", for: .publisher, show: raising, submit: raise)
        + ConsoleRoute.form(pattern + "/end", for: .publisher, show: ending) { try act($0, ReleaseCalls.end, .ended) }

    private static func commands(_ release: ReleaseBodies.Release, _ model: PageModel) -> [String] {
        var names = ["list"]
        if release.guarding != nil { names.append("guards") }
        if release.state == "active", release.share < 1 { names.append("pause") }
        if release.state != "ended" { names.append("rollback") }
        return names.map { name in
            let isAboutModel = ["list", "rollback"].contains(name)
            let words = ShellText.command("hearth", "releases", name, model.name)
            return isAboutModel ? words : "\(words) \(release.release)"
        }
    }

    /// Also for someone with a link to the page.
    static func show(_ request: PageRequest, _ model: PageModel, number: String) throws -> Page {
        let release = try request.api.call(ReleaseCalls.get, model.id, number)
        let isGoing = release.state != "ended"
        let releases = try model.releases()
        let older = isGoing ? releases.filter { $0.state != "ended" && $0.release < release.release } : []
        let history = try ReleaseHistory(release, among: releases, model, request)
        return Page(
            "\(model.name), release \(number)", .models, above: request.viewer.isGuest ? [] : model.above,
            commands: commands(release, model), isLive: isGoing
        ) {
            section(.id("now"), Attribute("data-live", if: true)) { headline(release, older, history) }
            if isGoing, request.may(.publisher) { controls(request, model, release) }
            section(.id("share"), Attribute("data-live", if: true)) {
                h2 { "Share of the devices" }
                StageLine(release).markup
            }
            if let guarding = release.guarding {
                section(.id("guards"), Attribute("data-live", if: true)) {
                    h2 { "Guards" }
                    GuardView(release, guarding).markup
                }
            }
            history.markup(request, model)
            facts(release)
            if request.may(.publisher) { sharing(request, model, release) }
        }
    }

    @MarkupBuilder
    private static func headline(
        _ release: ReleaseBodies.Release, _ older: [ReleaseBodies.Release], _ history: ReleaseHistory
    ) -> Markup {
        p {
            ReleaseState.badge(release)
            " Version \(release.version) to \(SharePercent.text(release.share)) of \(AudienceText.text(release.audience)). "
            if release.state != "ended", release.share < 1 {
                rest(older)
            }
        }
        if let stop = release.guarding?.stop {
            div(.class("problem")) {
                p {
                    strong { "Stopped by the guard \(stop.name)" }; " at "; Times.moment(stop.time); "."
                }
                p { stop.reason }
            }
        }
        if let ending = history.ending {
            p(.class("hint")) {
                "\(ending) It ended at "; Times.moment(release.endTime); "."
            }
        }
        (release.warnings ?? []).map { warning in p(.class("hint")) { "Perhaps a mistake: \(warning)." } }
    }

    /// What devices get that the release leaves out.
    ///
    /// - Parameter older: the older releases under way, newest first.
    private static func rest(_ older: [ReleaseBodies.Release]) -> String {
        let all = older.firstIndex { $0.share == 1 && $0.audience?.isEverybody ?? true }
        let reached = older.prefix(all.map { $0 + 1 } ?? older.count)
        guard let first = reached.first else {
            return "All others get nothing, because no older release is under way."
        }
        guard reached.count > 1 || all == nil else {
            return "All others get version \(first.version) of release \(first.release)."
        }
        let parts = reached.map { release in
            "version \(release.version) of release \(release.release) (\(SharePercent.text(release.share)) of "
                + "\(AudienceText.text(release.audience)))"
        }
        let none = all == nil ? ", and nothing if there is none" : ""
        return "Each other device gets the first of these that includes it: \(parts.joined(separator: ", "))\(none)."
    }

    private static func controls(
        _ request: PageRequest, _ model: PageModel, _ release: ReleaseBodies.Release
    ) -> Markup {
        let number = "\(release.release)"
        return div(.class("actions")) {
            if release.state == "paused" {
                form(request, model.link("releases", number, "resume"), .class("inline")) {
                    button(.class("primary")) { "Resume" }
                }
            } else if release.share < 1 {
                form(request, model.link("releases", number, "pause"), .class("inline")) { button { "Pause" } }
            }
            if release.share < 1 || !(release.audience?.isEverybody ?? true) {
                a(model.link("releases", number, "share"), .class("button")) { "Change the share" }
            }
            a(model.link("rollback"), .class("button")) { "Roll back" }
            a(model.link("try"), .class("button")) { "Try on an image" }
            a(model.link("upload"), .class("button")) { "Upload a new version" }
            a(model.link("releases", number, "end"), .class("button")) { "Stop this release" }
        }
    }

    private static func facts(_ release: ReleaseBodies.Release) -> Markup {
        section {
            h2 { "Facts" }
            dl(.class("facts")) {
                VersionPages.fact("Kind", .text(release.kind))
                VersionPages.fact("Began", Times.moment(release.createTime))
                // Readers with a link do not learn it.
                if !release.createdBy.isEmpty { VersionPages.fact("By", .text(release.createdBy)) }
                if let time = release.pauseTime { VersionPages.fact("Paused", Times.moment(time)) }
                if let time = release.endTime { VersionPages.fact("Ended", Times.moment(time)) }
                VersionPages.fact("Audience", .text(AudienceText.text(release.audience)))
            }
        }
    }

    private static func sharing(
        _ request: PageRequest, _ model: PageModel, _ release: ReleaseBodies.Release
    ) -> Markup {
        details {
            summary { "Share this page" }
            p { "A link shows this page for 7 days to whoever has it. It lets its readers change nothing." }
            form(request, model.link("releases", "\(release.release)", "link")) {
                SingleUseForms.markup
                button { "Make a link" }
            }
        }
    }

    private static func share(_ request: PageRequest) throws -> ConsoleRoute.Answer {
        let model = try PageModel(request)
        let number = Int(request.path["release"]) ?? 0
        let link = try request.api.call(
            SharedLinkCalls.create, body: ConsoleBodies.CreateSharedLinkRequest(model: model.id, release: number))
        return .page(SharedLinkPage.made(link, request, above: model.above))
    }

    private static func act(
        _ request: PageRequest, _ call: Call<Lane.Change, NoBody, ReleaseBodies.Release>, _ notice: Notice
    ) throws -> ConsoleRoute.Answer {
        let model = try PageModel(request)
        let number = request.path["release"]
        try request.api.send(call, model.id, number)
        return .redirect(model.link("releases", number).done(notice))
    }

    // MARK: Forms

    private static func raising(_ request: PageRequest) throws -> Page {
        let model = try PageModel(request)
        let number = request.path["release"]
        let release = try request.api.call(ReleaseCalls.get, model.id, number)
        return Page(
            "Change the share of release \(number)", .models,
            above: model.above + [("Release \(number)", model.link("releases", number))],
            commands: [ShellText.command("hearth", "releases", "set", model.name, number, "--share", "50%")],
            scripts: ["share.js"]
        ) {
            p {
                "Version \(release.version) now reaches \(SharePercent.text(release.share)) of \(AudienceText.text(release.audience))."
            }
            form(request, model.link("releases", number, "share"), .class("narrow")) {
                ReleaseFormPages.shareField(request.fields.raw("share") ?? SharePercent.number(release.share))
                ReleaseFormPages.overrides(request)
                p(.class("faint")) {
                    """
                    Devices that have the version keep it when the share grows. With a smaller share, some of them \
                    get the fallback release again.
                    """
                }
                button(.class("primary")) { "Change the share" }
            }
        }
    }

    private static func raise(_ request: PageRequest) throws -> ConsoleRoute.Answer {
        let model = try PageModel(request)
        let number = request.path["release"]
        let fields = request.fields
        try request.api.call(
            ReleaseCalls.update, model.id, number,
            body: ReleaseBodies.UpdateRequest(
                share: try SharePercent.read(fields["share"], "The share"),
                allowContractChange: fields.isSet("allow-contract") ? true : nil,
                allowCrashing: fields.isSet("allow-crashing") ? true : nil,
                allowFailedRehearsal: fields.isSet("allow-rehearsal") ? true : nil))
        return .redirect(model.link("releases", number).done(.raised))
    }

    private static func ending(_ request: PageRequest) throws -> Page {
        let model = try PageModel(request)
        let number = request.path["release"]
        let release = try request.api.call(ReleaseCalls.get, model.id, number)
        let fallback = try model.releases().first { $0.state != "ended" && $0.release < release.release }
        return Page(
            "Stop release \(number)", .models,
            above: model.above + [("Release \(number)", model.link("releases", number))],
            commands: [ShellText.command("hearth", "releases", "stop", model.name, number)]
        ) {
            p {
                "Version \(release.version) now reaches \(SharePercent.text(release.share)) of \(AudienceText.text(release.audience)). "
                fallback.map {
                    "When this release stops, these devices get version \($0.version) of release \($0.release) at their next request."
                }
                    ?? "When this release stops, no release is left: these devices keep what they have, and new devices get nothing."
            }
            form(request, model.link("releases", number, "end")) {
                div(.class("actions")) {
                    button(.class("danger")) { "Stop release \(number)" }
                    a(model.link("releases", number)) { "Let it go on" }
                }
            }
        }
    }
}

/// Shows a new link, once.
enum SharedLinkPage {
    static func made(
        _ link: ConsoleBodies.SharedLink, _ request: PageRequest, above: [(text: String, link: Link)]
    ) -> Page {
        let address = request.base + (link.path ?? "")
        return Page("A link to the page", .account, above: above) {
            p {
                "Whoever has this link sees the page until "; Times.moment(link.expireTime);
                ". The server shows it only now."
            }
            div(.class("copied")) {
                pre { code { address } }
                button(.type("button"), .class("copy"), Attribute("data-copy", address)) { "Copy" }
            }
        }
    }
}

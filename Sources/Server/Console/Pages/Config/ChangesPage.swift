import HearthHTTP
import HearthRemoteConfigTemplates
import HearthWire

/// The changes of a draft, before they are published.
enum ChangesPage {
    static func show(_ scope: ConfigScope) throws -> Page {
        let state = try scope.state()
        return scope.page(
            "Changes before publishing", tab: nil, above: scope.top,
            commands: [
                "hearth remoteconfig put template.json --if-version \(state.draft?.baseVersion ?? state.activeVersion)\(scope.option)"
            ], draft: .own
        ) {
            if let draft = state.draft {
                if state.isOutdated { conflict(scope, state, draft) }
                changes(scope, state, draft)
            } else {
                div(.class("empty")) {
                    p {
                        "You have no changes. A change of a parameter or a condition comes here before it is published."
                    }
                    p { a(scope.link()) { "To the parameters" } }
                }
            }
        }
    }

    private static func changes(_ scope: ConfigScope, _ state: TemplateState, _ draft: TemplateDraft) -> Markup {
        .joined {
            h2 { "What you change" }
            p {
                draft.baseVersion == 0
                    ? "\(NumberText.count(draft.changeCount, "change")); nothing was published before."
                    : "\(NumberText.count(draft.changeCount, "change")) to version \(draft.baseVersion)."
            }
            DifferenceView.list(
                TemplateDifference(from: draft.base, to: draft.template), label: "Your changes")
            draft.template.warnings(since: draft.base).map { warning in
                p(.class("hint")) { "Perhaps a mistake: \(UserText.shown(warning))." }
            }
            p(.class("actions")) {
                a(scope.link(), .class("button")) { "Add another change" }
                if scope.namespace == .client {
                    a(scope.link("device").with([("of", "draft")]), .class("button")) { "What a device would get" }
                }
                a(scope.link("json"), .class("button")) { "Edit as JSON" }
                a(scope.link("changes", "template.json"), .class("button")) { "Download the draft" }
            }
            if !state.isOutdated { publication(scope, state, draft) }
            details {
                summary { "Discard the changes" }
                p {
                    "Your \(NumberText.count(draft.changeCount, "change")) will be lost. What is published stays as it is."
                }
                form(scope.request, scope.link("changes", "discard")) {
                    button(.class("danger")) { "Discard \(NumberText.count(draft.changeCount, "change"))" }
                }
            }
            p(.class("faint")) {
                "The draft is of this browser’s session only. A restart of the server loses it."
            }
        }
    }

    private static func publication(_ scope: ConfigScope, _ state: TemplateState, _ draft: TemplateDraft) -> Markup {
        .joined {
            h2 { "Publish" }
            form(scope.request, scope.link("changes")) {
                input(.type("hidden"), .name("draft"), .value(draft.digest))
                Field.text(
                    "description", "Description of the version",
                    value: scope.sent?.raw("description") ?? "", hint: "For the list of versions; may be empty.",
                    Attribute("maxlength", "1024"))
                p {
                    scope.namespace == .client
                        ? "Devices get version \(state.activeVersion + 1) at their next fetch; apps that listen hear of it within seconds."
                        : "Servers get version \(state.activeVersion + 1) when they load the template again."
                }
                button(.class("primary")) { "Publish version \(state.activeVersion + 1)" }
            }
        }
    }

    // MARK: Someone else was faster

    private static func conflict(_ scope: ConfigScope, _ state: TemplateState, _ draft: TemplateDraft) -> Markup {
        let overlaps = TemplateMerge.overlaps(draft.template, since: draft.base, to: state.active)
        return section(.class("hint")) {
            h2 { "Someone published version \(state.activeVersion) meanwhile" }
            if let version = state.active.version {
                p {
                    scope.authorship(version)
                    version.description.map { ": \(UserText.shown($0))" } ?? ""
                    ". You began with version \(draft.baseVersion). Your changes are kept, and are not published."
                }
            }
            details(Attribute("open", if: true)) {
                summary { "What changed in between" }
                let theirs = TemplateDifference(from: draft.base, to: state.active)
                if theirs.isEmpty {
                    p { "Nothing: the version has the same content." }
                } else {
                    DifferenceView.list(theirs, label: "Changes of the version that was published meanwhile")
                }
            }
            if !overlaps.isEmpty {
                p {
                    strong { "You both changed: " }
                    overlaps.prefix(20).map(\.title).joined(separator: "; ")
                    overlaps.count > 20 ? "; …" : ""
                    ". Applied again, your text replaces the other one; the list then shows that."
                }
            }
            form(scope.request, scope.link("changes", "reapply")) {
                button(.class("primary")) { "Apply my changes to version \(state.activeVersion)" }
            }
        }
    }

    /// Makes the draft one of the version that is active now.
    static func reapply(_ scope: ConfigScope) throws -> ConsoleRoute.Answer {
        let state = try scope.state()
        let draft = try draft(state)
        guard state.isOutdated else { return .redirect(scope.link("changes")) }
        let merged = TemplateMerge.apply(draft.template, since: draft.base, to: state.active)
        try scope.check(WireJSON.encode(merged))
        let hasDraft = try scope.keep(checked: merged, base: state.active, etag: state.etag)
        return scope.afterEdit(hasDraft, scope.link())
    }

    // MARK: The end of a draft

    static func publish(_ scope: ConfigScope) throws -> ConsoleRoute.Answer {
        let state = try scope.state()
        let draft = try draft(state)
        guard scope.request.fields["draft"] == draft.digest else {
            throw APIFailure(
                status: 409,
                message:
                    "The draft was changed in another tab since you looked at it. These are the changes now; look at them again."
            )
        }
        var template = draft.template
        template.version = scope.request.fields.text("description").map { RemoteConfigVersion(description: $0) }
        do {
            _ = try scope.put(WireJSON.encode(template), ifMatch: draft.etag)
        } catch let failure as APIFailure where failure.status == 412 {
            throw APIFailure(
                status: 409,
                message:
                    "Someone published another version meanwhile. Yours is not published; your changes are kept, see below."
            )
        }
        // It is published, whatever happens to the draft.
        try? scope.discardDraft()
        return .redirect(scope.link().done(.published))
    }

    static func discard(_ scope: ConfigScope) throws -> ConsoleRoute.Answer {
        try scope.discardDraft()
        return .redirect(scope.link().done(.discarded))
    }

    private static func draft(_ state: TemplateState) throws -> TemplateDraft {
        guard let draft = state.draft else {
            throw APIFailure(
                status: 409,
                message: """
                    Your draft is gone: it was published or discarded in another tab, or the server was restarted. Nothing was \
                    changed. Make the changes again.
                    """)
        }
        return draft
    }
}

import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthRemoteConfigTemplates
import HearthWire

/// A request for a page about one template of a project: that of devices, or that of servers.
struct ConfigScope: Sendable {
    let request: PageRequest
    let namespace: TemplateNamespace

    init(_ request: PageRequest, _ namespace: TemplateNamespace) {
        self.request = request
        self.namespace = namespace
    }

    /// The segment of the pages' addresses below the project.
    static func root(_ namespace: TemplateNamespace) -> String {
        namespace == .client ? "config" : "server-config"
    }

    /// A page of this template.
    func link(_ segments: String...) -> Link {
        request.site.link(["projects", request.project, Self.root(namespace)] + segments)
    }

    func parameterLink(_ key: String) -> Link { link("parameters", key) }
    func conditionLink(_ name: String) -> Link { link("condition").with([("name", name)]) }
    func versionLink(_ number: String) -> Link { link("versions", number) }

    /// The option of commands; empty for the template of devices.
    var option: String { namespace == .client ? "" : " --namespace \(namespace.rawValue)" }

    /// The calls of templates, which have the namespace as their id.
    static let calls = GoogleTemplateCalls.ofNamespace

    /// Whether the form was sent: its fields count, and not what is stored.
    var sent: FormFields? { request.head.method == .post ? request.fields : nil }

    var mayEdit: Bool { request.may(.publisher) && !request.viewer.isGuest }
}

/// What the pages show: the active version, and the changes of this session.
struct TemplateState: Sendable {
    let active: RemoteConfigTemplate
    let etag: String
    let draft: TemplateDraft?

    /// With the changes of the draft.
    var shown: RemoteConfigTemplate { draft?.template ?? active }
    var activeVersion: Int64 { active.versionNumber }
    /// Whether someone published a version after the draft was begun.
    var isOutdated: Bool { draft.map { $0.etag != etag } ?? false }
}

extension ConfigScope {
    private var key: TemplateDrafts.Key? {
        request.viewer.session.map {
            .init(session: $0.id, project: request.project, namespace: namespace.rawValue)
        }
    }

    /// The draft of this session, for pages that only mention it.
    var draft: TemplateDraft? { try? storedDraft() }

    private func storedDraft() throws -> TemplateDraft? { try key.flatMap { try request.drafts.draft($0) } }

    func state() throws -> TemplateState {
        let (active, etag) = try template()
        return TemplateState(active: active, etag: etag, draft: try storedDraft())
    }

    /// - Parameter version: a number; nil for the active version.
    func template(version: String? = nil) throws -> (template: RemoteConfigTemplate, etag: String) {
        let answer = try request.api.response(
            to: Self.calls.get, namespace.rawValue, query: [("versionNumber", version)])
        guard case .bytes(let bytes) = answer.body else { return (RemoteConfigTemplate(), "") }
        return (try WireJSON.decode(RemoteConfigTemplate.self, from: bytes), answer.headers["ETag"] ?? "")
    }

    /// Adds a change to the draft, or begins one. The API checks the whole template, so a draft can always be published.
    ///
    /// - Returns: whether there is a draft now.
    /// - Throws: `APIFailure`; then the draft is as before.
    @discardableResult
    func edit(_ change: (inout RemoteConfigTemplate) throws -> Void) throws -> Bool {
        let state = try edited()
        var template = state.shown
        template.version = nil
        try change(&template)
        return try keep(template, state)
    }

    /// What a form changes: the draft, or else the version that the form showed. If someone has published another version
    /// since, the draft is one of the old version, and its page shows both changes.
    func edited() throws -> TemplateState {
        let state = try state()
        guard state.draft == nil, let base = sent?.text("base"), base != String(state.activeVersion),
            Int64(base) ?? 0 > 0
        else { return state }
        let (old, etag) = try template(version: base)
        return TemplateState(active: old, etag: etag, draft: nil)
    }

    /// The field of a form that says which version it shows.
    func baseField(_ state: TemplateState) -> Markup {
        input(.type("hidden"), .name("base"), .value(sent?.text("base") ?? String(state.activeVersion)))
    }

    /// Makes the template the draft.
    @discardableResult
    private func keep(_ template: RemoteConfigTemplate, _ state: TemplateState) throws -> Bool {
        try check(WireJSON.encode(template))
        return try keep(
            checked: template, base: state.draft?.base ?? state.active, etag: state.draft?.etag ?? state.etag)
    }

    /// Makes a template the draft that the API has checked.
    @discardableResult
    func keep(checked template: RemoteConfigTemplate, base: RemoteConfigTemplate, etag: String) throws -> Bool {
        guard let key else { throw APIFailure(status: 403, message: "A shared page cannot change anything.") }
        let difference = TemplateDifference(from: base, to: template)
        guard !difference.isEmpty else {
            try request.drafts.remove(key)
            return false
        }
        try request.drafts.keep(
            TemplateDraft(base: base, etag: etag, template: template, changeCount: difference.changes.count),
            for: key)
        return true
    }

    /// - Parameter body: the template as JSON.
    /// - Returns: the template as the API reads it, without a version.
    /// - Throws: `APIFailure` if it cannot be published.
    @discardableResult
    func check(_ body: [UInt8]) throws -> RemoteConfigTemplate {
        let answer: Response
        do {
            answer = try put(body, query: [("validate_only", "true")], ifMatch: "*")
        } catch let failure as APIFailure where !failure.violations.isEmpty {
            // The API's own message begins with codes for programs; what is wrong stands in the violations.
            throw failure.with(message: "With this change the template would not be valid.")
        }
        guard case .bytes(let bytes) = answer.body else { return RemoteConfigTemplate() }
        var template = try WireJSON.decode(RemoteConfigTemplate.self, from: bytes)
        template.version = nil
        return template
    }

    /// - Parameter body: the template as JSON, which may be as a person typed it.
    func put(_ body: [UInt8], query: APIClient.Query = [], ifMatch etag: String) throws -> Response {
        try request.api.response(
            to: Self.calls.put, namespace.rawValue, query: query, body: body, headers: ["If-Match": etag])
    }

    func discardDraft() throws { try key.map { try request.drafts.remove($0) } }

    /// To the list of changes, or back to a page if nothing changed.
    func afterEdit(_ hasDraft: Bool, _ back: Link) -> ConsoleRoute.Answer {
        .redirect(hasDraft ? link("changes") : back.done(.unchanged))
    }
}

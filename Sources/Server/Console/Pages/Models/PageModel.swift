import HearthCalls
import HearthHTTP
import HearthWire

/// The model that a page is about.
struct PageModel {
    let id: String
    let resource: ModelResource
    private let request: PageRequest

    /// - Throws: 404 if the project has no such model.
    init(_ request: PageRequest) throws {
        id = request.path["model"]
        self.request = request
        resource = try request.api.call(ModelCalls.get, id)
    }

    /// An account's name, in place of its address, for tables.
    func shortName(ofActor actor: String) -> String { ServiceAccountName.short(actor, project: request.project) }

    var name: String { resource.displayName ?? id }
    var newest: Int? { resource.hearth?.version }
    var released: Int? { resource.hearth?.releasedVersion }

    func link(_ segments: String...) -> Link {
        request.site.link(["projects", request.project, "models", id] + segments)
    }

    /// The pages above a page of the model.
    var above: [(text: String, link: Link)] { [("Models", request.link("models")), (name, link())] }

    /// Newest first, without their contracts.
    func versions() throws -> [ReleaseBodies.Version] {
        try request.api.call(VersionCalls.list, id, query: [("contracts", "false")]).versions ?? []
    }

    func releases() throws -> [ReleaseBodies.Release] {
        try request.api.call(ReleaseCalls.list, id).releases ?? []
    }
}

/// What people may read of a verdict.
enum VerdictBadge {
    static func badge(_ version: ReleaseBodies.Version) -> Markup {
        switch version.verdict {
        case "ok": Badge.mark("ok", .good)
        case "pending": Badge.mark("being checked", .neutral)
        case "unsupported": Badge.mark("not on this server's engine", .warning)
        default: Badge.mark("malformed", .bad)
        }
    }
}

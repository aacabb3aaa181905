import HearthCatalog
import HearthHTTP
import HearthWire

/// A request for a page, or of a form, by someone who is signed in.
struct PageRequest: Sendable {
    let head: RequestHead
    var path: RouteParameters
    let site: Site
    let viewer: Viewer
    let api: APIClient
    /// The fields of the form that was sent; of the query for a page.
    var fields: FormFields
    /// The address of the server for this browser: scheme, host, and a path if there is one.
    let base: String
    /// The unpublished templates of all sessions.
    let drafts: TemplateDrafts
    /// The project whose menu a page of the whole server shows; empty for none.
    var menuProject = ""
    /// What the page must say besides its content: why a form was refused, or what a form did.
    var problem: APIFailure?

    /// The project in the path.
    var project: String { path["project"] }

    /// A link in the project of the path.
    func link(_ segments: String...) -> Link { site.link(["projects", project] + segments) }

    /// Why the viewer gets no page of this project, or none for this role; nil if nothing speaks against it.
    func refusal(for role: Role) -> APIFailure? {
        if !project.isEmpty, let own = viewer.projectID, own != project {
            return APIFailure(status: 403, message: "You do not have permission for the project '\(project)'.")
        }
        guard may(role) else {
            return APIFailure(
                status: 403, message: "This page needs the role \(role.rawValue); you are \(viewer.role.rawValue).")
        }
        return nil
    }

    /// Whether the viewer may do what needs that role in the project.
    func may(_ role: Role) -> Bool { viewer.role >= role }
}

extension RouteParameters {
    /// The value; nil for a name that the path's pattern does not have.
    func text(_ name: String) -> String? {
        let value = self[name]
        return value.isEmpty ? nil : value
    }
}

/// Who looks at a page.
struct Viewer: Sendable {
    /// A service account's email, `token:{id}` or `link:{id}`.
    let actor: String
    /// What people call it: the token's name, or the account's without the address.
    let name: String
    let role: Role
    /// Nil for all projects.
    let projectID: String?
    let isOperator: Bool
    /// Nil for someone with a link to one page.
    let session: ConsoleSession?
    /// Proves that a form comes from a page of this session; empty without a session.
    let formToken: String
    /// Until when the link shows the page, RFC 3339; nil for people who are signed in.
    var linkEnd: String?

    var isGuest: Bool { session == nil }
}

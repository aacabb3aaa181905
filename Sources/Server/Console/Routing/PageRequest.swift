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

/// The fields of a form or a query, in order.
struct FormFields: Sendable {
    private let items: [(name: String, value: String)]

    init(_ items: [(name: String, value: String)] = []) { self.items = items }

    /// The field without the blanks around it; empty if it was not sent.
    subscript(name: String) -> String { items.first { $0.name == name }.map { Self.trimmed($0.value) } ?? "" }

    /// The field exactly as sent; nil if it was not.
    func raw(_ name: String) -> String? { items.first { $0.name == name }?.value }

    /// All values of a field that may repeat, as sent.
    func all(_ name: String) -> [String] { items.filter { $0.name == name }.map(\.value) }

    /// The field; nil if it was not sent, or is empty.
    func text(_ name: String) -> String? {
        let value = self[name]
        return value.isEmpty ? nil : value
    }

    /// Whether a checkbox was set.
    func isSet(_ name: String) -> Bool { raw(name) != nil }

    /// A copy with other values for these fields.
    func replacing(_ values: [(name: String, value: String)]) -> FormFields {
        let names = Set(values.map(\.name))
        return FormFields(items.filter { !names.contains($0.name) } + values)
    }

    /// All fields as sent, without these.
    func without(_ names: Set<String>) -> [(name: String, value: String)] { items.filter { !names.contains($0.name) } }

    /// Whether any field was sent.
    var isEmpty: Bool { items.isEmpty }

    /// - Throws: `APIFailure` unless the field is empty or a whole number.
    func number(_ name: String, _ what: String) throws -> Int? {
        guard let text = text(name) else { return nil }
        guard let number = Int(text) else {
            throw APIFailure(status: 400, message: "\(what) must be a whole number, not '\(text.prefix(50))'.")
        }
        return number
    }

    /// - Throws: `APIFailure` unless the field is empty or a number.
    func decimal(_ name: String, _ what: String) throws -> Double? {
        guard let text = text(name) else { return nil }
        // Larger ones mean nothing in any field, and would not fit the numbers that are made of them.
        guard let number = Double(text.replacing(",", with: ".")), number.magnitude <= 1e12 else {
            throw APIFailure(status: 400, message: "\(what) must be a number, not '\(text.prefix(50))'.")
        }
        return number
    }

    private static func trimmed(_ text: String) -> String {
        let rest = text.drop(while: \.isWhitespace)
        return String(rest[..<(rest.lastIndex { !$0.isWhitespace }.map(rest.index(after:)) ?? rest.startIndex)])
    }
}

import HearthCatalog
import HearthHTTP

/// A page or a form of the console.
struct ConsoleRoute: Sendable {
    /// What a request leads to.
    enum Answer: Sendable {
        case page(Page)
        /// To another page, after a change.
        case redirect(Link)
        case response(Response)
    }

    let method: HTTPMethod
    /// The least role of whoever the page is for. The API refuses the change itself; this only keeps people from filling in
    /// a form in vain.
    var role = Role.viewer
    /// Below `console/`, as in `Route`.
    let pattern: String
    /// The names in the query that the page reads; nil for all. A page with a form reads only those that it needs, so that
    /// no link from elsewhere opens a form that is filled in already.
    var reading: [String]?
    /// Whether the form has a secret that the server showed, which no other page may show.
    var holdsSecret = false
    /// The page that shows a form, for a form that is refused.
    let show: (@Sendable (PageRequest) throws -> Page)?
    let answer: @Sendable (PageRequest) throws -> Answer

    /// A page. It changes nothing.
    static func page(
        _ pattern: String, for role: Role = .viewer, _ show: @escaping @Sendable (PageRequest) throws -> Page
    ) -> ConsoleRoute {
        ConsoleRoute(method: .get, role: role, pattern: pattern, show: nil) { .page(try show($0)) }
    }

    /// A page with a form, which is sent to the page's own address. A form that is refused shows the page again, with the
    /// reason and with what was filled in (`PageRequest.fields`).
    ///
    /// - Parameters:
    ///   - role: the least role of someone who may see the form.
    ///   - reading: the names in the query that the page reads, besides that of the notice.
    ///   - holdsSecret: whether what is sent is a secret that the server showed.
    static func form(
        _ pattern: String, for role: Role = .viewer, reading: [String] = [], holdsSecret: Bool = false,
        show: @escaping @Sendable (PageRequest) throws -> Page,
        submit: @escaping @Sendable (PageRequest) throws -> Answer
    ) -> [ConsoleRoute] {
        [
            ConsoleRoute(method: .get, role: role, pattern: pattern, reading: reading + [Notice.field], show: nil) {
                .page(try show($0))
            },
            ConsoleRoute(
                method: .post, role: role, pattern: pattern, holdsSecret: holdsSecret, show: show, answer: submit),
        ]
    }

    /// A form on other pages. When it is refused, a page of its own says why.
    static func action(
        _ pattern: String, holdsSecret: Bool = false, submit: @escaping @Sendable (PageRequest) throws -> Answer
    ) -> ConsoleRoute {
        ConsoleRoute(method: .post, pattern: pattern, holdsSecret: holdsSecret, show: nil, answer: submit)
    }
}

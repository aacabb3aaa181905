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
    /// Below `console/`, as in `Route`.
    let pattern: String
    /// The page that shows a form, for a form that is refused.
    let show: (@Sendable (PageRequest) throws -> Page)?
    let answer: @Sendable (PageRequest) throws -> Answer

    /// A page. It changes nothing.
    static func page(
        _ pattern: String, _ show: @escaping @Sendable (PageRequest) throws -> Page
    ) -> ConsoleRoute {
        ConsoleRoute(method: .get, pattern: pattern, show: nil) { .page(try show($0)) }
    }

    /// A page with a form, which is sent to the page's own address. A form that is refused shows the page again, with the
    /// reason and with what was filled in (`PageRequest.fields`).
    static func form(
        _ pattern: String, show: @escaping @Sendable (PageRequest) throws -> Page,
        submit: @escaping @Sendable (PageRequest) throws -> Answer
    ) -> [ConsoleRoute] {
        [page(pattern, show), ConsoleRoute(method: .post, pattern: pattern, show: show, answer: submit)]
    }

    /// A form on other pages. When it is refused, a page of its own says why.
    static func action(
        _ pattern: String, submit: @escaping @Sendable (PageRequest) throws -> Answer
    ) -> ConsoleRoute {
        ConsoleRoute(method: .post, pattern: pattern, show: nil, answer: submit)
    }
}

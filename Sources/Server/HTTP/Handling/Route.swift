/// One row of a routing table.
package struct Route: Sendable {
    package let method: HTTPMethod
    let pattern: RoutePattern
    /// The pattern as text. There are few such names, whatever paths clients ask for.
    package let name: String
    /// The position among its router's routes, from 1.
    var number = 0
    let plan: @Sendable (RequestHead, RouteParameters) -> RequestPlan

    /// - Parameters:
    ///   - pattern: path segments: literals, `{name}`, a last `{name...}` for one or more segments, and a custom verb
    ///     on the last (`models/{model}:download`). Leading and trailing slashes do not matter. A malformed pattern
    ///     stops the program.
    ///   - plan: called on the server's threads.
    package init(
        _ method: HTTPMethod, _ pattern: String,
        plan: @escaping @Sendable (RequestHead, RouteParameters) -> RequestPlan
    ) {
        self.method = method
        self.pattern = RoutePattern(pattern)
        name = pattern
        self.plan = plan
    }

    /// This route, which passes each request to `note` before it plans the request.
    package func observed(_ note: @escaping @Sendable (RequestHead) -> Void) -> Route {
        Route(method, name) { [plan] head, path in
            note(head)
            return plan(head, path)
        }
    }
}

/// One row of a routing table.
public struct Route: Sendable {
    public let method: HTTPMethod
    let pattern: RoutePattern
    /// The pattern as text: one of few names, whatever paths are asked for.
    public let name: String
    /// The place among its router's routes, from 1.
    var number = 0
    let plan: @Sendable (RequestHead, RouteParameters) -> RequestPlan

    /// - Parameters:
    ///   - pattern: path segments: literals, `{name}`, a last `{name...}` for one or more segments, and a custom verb
    ///     on the last (`models/{model}:download`). Leading and trailing slashes do not matter. A malformed pattern
    ///     stops the program.
    ///   - plan: called on the server's threads.
    public init(
        _ method: HTTPMethod, _ pattern: String,
        plan: @escaping @Sendable (RequestHead, RouteParameters) -> RequestPlan
    ) {
        self.method = method
        self.pattern = RoutePattern(pattern)
        name = pattern
        self.plan = plan
    }

    /// This route, which hands each request to `note` before it is planned.
    public func noting(_ note: @escaping @Sendable (RequestHead) -> Void) -> Route {
        Route(method, name) { [plan] head, path in
            note(head)
            return plan(head, path)
        }
    }
}

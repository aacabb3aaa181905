/// Sends each request to the most specific route that has its path and method.
///
/// HEAD falls back to GET; the server sends no body for it. A path that no pattern has is 404, one that has other
/// methods only is 405 with `Allow`.
public struct Router: RequestHandler {
    private let routes: [Route]
    /// Of the routes' patterns, in the same order: tells most of them apart without a look at their texts.
    private let outlines: [RoutePattern.Outline]
    private let errors: ErrorRenderer

    /// - Parameters:
    ///   - routes: in any order. Two routes for the same method and paths stop the program.
    ///   - errors: makes the 404 and 405 answers.
    public init(_ routes: [Route], errors: @escaping ErrorRenderer = HTTPFault.plainText) {
        for (index, route) in routes.enumerated() {
            let twin = routes[..<index].contains { $0.method == route.method && $0.pattern.hasShape(of: route.pattern) }
            precondition(!twin, "two routes for \(route.method) \(route.pattern)")
        }
        var numbered = routes
        for index in numbered.indices { numbered[index].number = index + 1 }
        self.routes = numbered.sorted { $0.pattern.isMoreSpecific(than: $1.pattern) }
        outlines = self.routes.map(\.pattern.outline)
        self.errors = errors
    }

    public func plan(for head: RequestHead) -> RequestPlan {
        if let plan = plan(for: head, as: head.method) { return plan }
        if head.method == .head, let plan = plan(for: head, as: .get) { return plan }
        return .answer(refusal(of: head))
    }

    private func plan(for head: RequestHead, as method: HTTPMethod) -> RequestPlan? {
        for index in routes.indices where outlines[index].fits(head.target) && routes[index].method == method {
            if let parameters = routes[index].pattern.match(head.target) {
                head.notes.routeNumber = routes[index].number
                return routes[index].plan(head, parameters)
            }
        }
        return nil
    }

    private func refusal(of head: RequestHead) -> Response {
        var methods = Set(routes.filter { $0.pattern.match(head.target) != nil }.map(\.method))
        guard !methods.isEmpty else { return errors(.notFound) }
        if methods.contains(.get) { methods.insert(.head) }
        var response = errors(.methodNotAllowed)
        response.headers["Allow"] = methods.map(\.rawValue).sorted().joined(separator: ", ")
        return response
    }
}

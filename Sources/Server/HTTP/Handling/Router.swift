/// Sends each request to the most specific route that has its path and method.
///
/// HEAD falls back to GET; the server sends no body for it. A path that no pattern matches is answered with 404, a path
/// with other methods only with 405 and `Allow`.
package struct Router: RequestHandler {
    /// The most specific ones first.
    private let routes: [Route]
    /// Indices of the routes that may match a path: by its number of segments (the last entry is for all longer paths),
    /// and by whether it has a verb. This excludes most routes without a look at their texts.
    private let candidates: [(plain: [Int], verbs: [Int])]
    private let errors: ErrorRenderer
    private let fallback: @Sendable (RequestHead) -> Response?

    /// - Parameters:
    ///   - routes: in any order. Two routes for the same method and paths stop the program.
    ///   - errors: makes the 404 and 405 answers.
    ///   - fallback: makes the answer to requests for paths that no pattern matches; nil for the usual 404.
    ///   - firstNumber: the number of the first route in `AccessLogEntry.route`. Routers of one server share the numbers.
    package init(
        _ routes: [Route], errors: @escaping ErrorRenderer = HTTPFault.plainText, firstNumber: Int = 1,
        fallback: @escaping @Sendable (RequestHead) -> Response? = { _ in nil }
    ) {
        for (index, route) in routes.enumerated() {
            let twin = routes[..<index].contains { $0.method == route.method && $0.pattern.hasShape(of: route.pattern) }
            precondition(!twin, "two routes for \(route.method) \(route.pattern)")
        }
        var numbered = routes
        for index in numbered.indices { numbered[index].number = index + firstNumber }
        let sorted = numbered.sorted { $0.pattern.isMoreSpecific(than: $1.pattern) }
        let longest = sorted.map(\.pattern.segments.count).max() ?? 0
        candidates = (0...longest + 1).map { count in
            func fitting(hasVerb: Bool) -> [Int] {
                sorted.indices.filter { sorted[$0].pattern.mayMatch(segmentCount: count, hasVerb: hasVerb) }
            }
            return (fitting(hasVerb: false), fitting(hasVerb: true))
        }
        self.routes = sorted
        self.errors = errors
        self.fallback = fallback
    }

    package func plan(for head: RequestHead) -> RequestPlan {
        if let plan = plan(for: head, as: head.method) { return plan }
        if head.method == .head, let plan = plan(for: head, as: .get) { return plan }
        return .answer(refusal(of: head))
    }

    private func plan(for head: RequestHead, as method: HTTPMethod) -> RequestPlan? {
        let target = head.target
        let (plain, verbs) = candidates[min(target.stems.count, candidates.count - 1)]
        for index in target.verb == nil ? plain : verbs where routes[index].method == method {
            if let parameters = routes[index].pattern.match(target) {
                head.notes.routeNumber = routes[index].number
                return routes[index].plan(head, parameters)
            }
        }
        return nil
    }

    private func refusal(of head: RequestHead) -> Response {
        var methods = Set(routes.filter { $0.pattern.match(head.target) != nil }.map(\.method))
        guard !methods.isEmpty else { return fallback(head) ?? errors(.notFound) }
        if methods.contains(.get) { methods.insert(.head) }
        var response = errors(.methodNotAllowed)
        response.headers["Allow"] = methods.map(\.rawValue).sorted().joined(separator: ", ")
        return response
    }
}

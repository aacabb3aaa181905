package import HearthCalls
package import HearthHTTP

/// The route of a call.
package struct CallRoute: Sendable {
    package let call: CallDescription
    package let route: Route

    /// - Parameter plan: called on the server's threads.
    package init(
        _ call: some DescribedCall, plan: @escaping @Sendable (RequestHead, RouteParameters) -> RequestPlan
    ) {
        self.call = call.description
        route = Route(HTTPMethod(call.method), call.path.pattern, plan: plan)
    }
}

/// Finds the requests of a call.
package struct CallPattern: Sendable {
    private let method: HTTPMethod
    private let path: RoutePattern

    package init(_ call: some DescribedCall) {
        method = HTTPMethod(call.method)
        path = RoutePattern(call.path.pattern)
    }

    /// The values of the names in the call's path; nil for a request of another call. A request for the head of an answer is
    /// one of the call that reads it.
    package func values(in head: RequestHead) -> RouteParameters? {
        guard head.method == method || head.method == .head && method == .get else { return nil }
        return path.values(in: head)
    }
}

extension HTTPMethod {
    package init(_ method: CallMethod) {
        switch method {
        case .get: self = .get
        case .post: self = .post
        case .put: self = .put
        case .patch: self = .patch
        case .delete: self = .delete
        }
    }
}

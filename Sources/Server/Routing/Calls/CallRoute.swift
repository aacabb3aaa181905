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

extension HTTPMethod {
    init(_ method: CallMethod) {
        switch method {
        case .get: self = .get
        case .post: self = .post
        case .put: self = .put
        case .patch: self = .patch
        case .delete: self = .delete
        }
    }
}

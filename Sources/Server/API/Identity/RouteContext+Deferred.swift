import Dispatch
import HearthHTTP

extension RouteContext {
    /// A call with a body that takes a while, a small one unless it says otherwise: it is answered from `queue`, that of the writers if none is given,
    /// and no thread of the HTTP server waits. `check` runs before any of the body is read, and what it finds goes to
    /// `body`.
    func deferred<Permission: Sendable>(
        _ head: RequestHead, on queue: DispatchQueue? = nil, limitBytes: Int? = nil, check: () throws -> Permission,
        _ body: @escaping @Sendable (Permission, RequestHead, [UInt8]) throws -> Response
    ) -> RequestPlan {
        let queue = queue ?? writing
        do {
            let permission = try check()
            return .buffered(limitBytes: limitBytes ?? services.limits.requestBodyBytes) { head, bytes in
                .deferred { reply in
                    queue.async { reply.resolve(with: self.respond(head) { try body(permission, head, bytes) }) }
                }
            }
        } catch {
            return .answer(failure(head, error))
        }
    }
}

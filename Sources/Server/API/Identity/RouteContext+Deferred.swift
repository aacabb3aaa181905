import Dispatch
import HearthHTTP

extension RouteContext {
    /// A call with a small body that writes: it is answered at its project's turn among the writers, and no thread of the HTTP
    /// server waits. `check` runs before any of the body is read, and what it finds goes to `body`.
    func written<Caller: TurnTaking>(
        _ head: RequestHead, check: () throws -> Caller,
        _ body: @escaping @Sendable (Caller, RequestHead, [UInt8]) throws -> Response
    ) -> RequestPlan {
        deferred(head, check: check, run: { [writing] in writing.run(for: $0.turn, .change, $1) }, body)
    }

    /// The same for a call that takes a while, on a queue of its own.
    func deferred<Permission: Sendable>(
        _ head: RequestHead, on queue: DispatchQueue, check: () throws -> Permission,
        _ body: @escaping @Sendable (Permission, RequestHead, [UInt8]) throws -> Response
    ) -> RequestPlan {
        deferred(head, check: check, run: { queue.async(execute: $1) }, body)
    }

    private func deferred<Permission: Sendable>(
        _ head: RequestHead, check: () throws -> Permission,
        run: @escaping @Sendable (Permission, @escaping @Sendable () -> Void) -> Void,
        _ body: @escaping @Sendable (Permission, RequestHead, [UInt8]) throws -> Response
    ) -> RequestPlan {
        do {
            let permission = try check()
            return .buffered(limitBytes: services.limits.requestBodyBytes) { head, bytes in
                .deferred { reply in
                    run(permission) { reply.resolve(with: self.respond(head) { try body(permission, head, bytes) }) }
                }
            }
        } catch {
            return .answer(failure(head, error))
        }
    }
}

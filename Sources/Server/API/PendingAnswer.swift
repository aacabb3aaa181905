import HearthHTTP
import HearthValidation

/// An answer, or what has to be waited for before there is one.
enum PendingAnswer {
    case ready(Response)
    /// `then` makes the answer when there is a verdict on the file, or when the caller has waited long enough.
    case afterCheck(sha256: String, then: @Sendable () throws -> Response)
}

extension RouteContext {
    /// A call with a small body whose answer may have to wait for the check of a file. No thread waits with it.
    ///
    /// `check` runs before any of the body is read, and what it finds goes to `body`.
    func waiting<Permission: Sendable>(
        _ head: RequestHead, check: () throws -> Permission,
        _ body: @escaping @Sendable (Permission, RequestHead, [UInt8]) throws -> PendingAnswer
    ) -> RequestPlan {
        do {
            let permission = try check()
            return .buffered(limitBytes: services.limits.requestBodyBytes) { head, bytes in
                do {
                    return outcome(head, try body(permission, head, bytes))
                } catch {
                    return .respond(failure(head, error))
                }
            }
        } catch {
            return .answer(failure(head, error))
        }
    }

    private func outcome(_ head: RequestHead, _ answer: PendingAnswer) -> Outcome {
        switch answer {
        case .ready(let response):
            return .respond(response)
        case .afterCheck(let sha256, let then):
            return .deferred { reply in
                services.validation.whenDone(sha256, withinSeconds: services.limits.validationWaitSeconds) { _ in
                    reply.resolve(with: respond(head, then))
                }
            }
        }
    }
}

import HearthHTTP
import HearthValidation

/// An answer, or what has to be waited for before there is one.
enum PendingAnswer {
    case ready(Response)
    /// `write` runs on the writers' queue and returns what makes the answer, which then holds up no writer.
    case afterWrite(_ write: @Sendable () throws -> @Sendable () throws -> Response)
    /// `then` makes the answer when there is a verdict on the file, or when the caller has waited long enough.
    case afterCheck(sha256: String, then: @Sendable () throws -> Response)
}

extension RouteContext {
    /// A call with a small body that writes, and whose answer may have to wait for the check of a file. The writers' queue
    /// runs `body`; no thread waits for the check.
    ///
    /// `check` runs before any of the body is read, and what it finds goes to `body`.
    func waiting<Caller: TurnTaking>(
        _ head: RequestHead, check: () throws -> Caller,
        _ body: @escaping @Sendable (Caller, RequestHead, [UInt8]) throws -> PendingAnswer
    ) -> RequestPlan {
        do {
            let caller = try check()
            return .buffered(limitBytes: services.limits.requestBodyBytes) { head, bytes in
                .deferred { reply in
                    self.writing.run(for: caller.turn) {
                        do {
                            self.resolve(reply, head, try body(caller, head, bytes), turn: caller.turn)
                        } catch {
                            reply.resolve(with: self.failure(head, error))
                        }
                    }
                }
            }
        } catch {
            return .answer(failure(head, error))
        }
    }

    /// - Parameter turn: of the caller, as in `TurnTaking`.
    func resolve(_ reply: DeferredResponse, _ head: RequestHead, _ answer: PendingAnswer, turn: String) {
        switch answer {
        case .ready(let response):
            reply.resolve(with: response)
        case .afterWrite(let write):
            writing.run(for: turn) {
                do {
                    let answer = try write()
                    self.answering.run { reply.resolve(with: self.respond(head, answer)) }
                } catch {
                    reply.resolve(with: self.failure(head, error))
                }
            }
        case .afterCheck(let sha256, let then):
            services.validation.whenDone(sha256, withinSeconds: services.limits.validationWaitSeconds) { _ in
                self.writing.run(for: turn) { reply.resolve(with: self.respond(head, then)) }
            }
        }
    }
}

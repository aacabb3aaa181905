import HearthHTTP
import HearthWire

extension RouteContext {
    /// An admin's call that takes a while: reading a template, listing, exporting. It is answered at its project's turn, and no
    /// thread of the HTTP server waits. `check` runs before any of the body is read, and what it finds goes to `body`.
    ///
    /// - Parameter failure: the answer to an error, where it has another form than most.
    func inTurn<Caller: TurnTaking>(
        _ head: RequestHead, limitBytes: Int? = nil,
        failure: (@Sendable (RequestHead, any Error) -> Response)? = nil, check: () throws -> Caller,
        _ body: @escaping @Sendable (Caller, RequestHead, [UInt8]) throws -> Response
    ) -> RequestPlan {
        preparing(head, limitBytes: limitBytes, failure: failure, check: check) { .ready(try body($0, $1, $2)) }
    }

    /// The same for a call that changes something: what takes long of it is prepared at its project's turn, and the writers'
    /// queue only writes (`PendingAnswer.afterWrite`).
    func preparing<Caller: TurnTaking>(
        _ head: RequestHead, limitBytes: Int? = nil,
        failure: (@Sendable (RequestHead, any Error) -> Response)? = nil, check: () throws -> Caller,
        _ body: @escaping @Sendable (Caller, RequestHead, [UInt8]) throws -> PendingAnswer
    ) -> RequestPlan {
        let failure = failure ?? self.failure
        do {
            let caller = try check()
            let kind: FairWork.Kind = head.method == .get ? .read : .change
            let most = services.limits.waiting(kind)
            guard work.hasRoom(for: caller.turn, kind, most: most) else { throw Self.crowded }
            return .buffered(limitBytes: limitBytes ?? services.limits.requestBodyBytes) { head, bytes in
                .deferred { reply in
                    let work: FairWork.Work = {
                        do {
                            self.resolve(reply, head, try body(caller, head, bytes), turn: caller.turn)
                        } catch {
                            reply.resolve(with: failure(head, error))
                        }
                    }
                    guard self.work.run(for: caller.turn, kind, most: most, work) else {
                        reply.resolve(with: failure(head, Self.crowded))
                        return
                    }
                }
            }
        } catch {
            return .answer(failure(head, error))
        }
    }

    /// A device's answer that takes a while, at its project's turn among such.
    ///
    /// - Throws: 503 where too many of the project's devices wait.
    func deviceInTurn(
        _ head: RequestHead, project: String, _ body: @escaping @Sendable () throws -> Response
    ) throws(APIError) -> Outcome {
        let most = services.limits.waiting(.fetch)
        guard work.hasRoom(for: project, .fetch, most: most) else { throw Self.crowded }
        return .deferred { reply in
            let isTaken = self.work.run(for: project, .fetch, most: most) {
                reply.resolve(with: self.respond(head, body))
            }
            if !isTaken { reply.resolve(with: self.failure(head, Self.crowded)) }
        }
    }

    private static let retryAfterSeconds = 5

    private static var crowded: APIError {
        var error = APIError(
            .unavailable, "Too many calls of this project that take long wait for their turn; try again later.")
        error.retryAfterSeconds = retryAfterSeconds
        return error
    }
}

extension ServiceLimits {
    /// How many of a project may wait for their turn.
    fileprivate func waiting(_ kind: FairWork.Kind) -> Int {
        switch kind {
        case .read: waitingReadsPerProject
        // They wait with their bodies, in memory.
        case .change: waitingChangesPerProject
        case .fetch: waitingFetchesPerProject
        }
    }
}

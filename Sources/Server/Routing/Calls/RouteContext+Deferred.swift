package import HearthCrypto
package import HearthHTTP
import HearthIdentity
import HearthServing
package import HearthStorage
import HearthWire
import HearthWork

extension RouteContext {
    /// A call with a small body that writes. It runs in the writers' queue, in its project's order, and no thread of
    /// the HTTP server waits. `check` runs before any of the body is read; its result goes to `body`.
    package func queuedWrite<Caller: QueueKeyed>(
        _ head: RequestHead, check: () throws -> Caller,
        _ body: @escaping @Sendable (Caller, RequestHead, [UInt8]) throws -> Response
    ) -> RequestPlan {
        do {
            let caller = try check()
            return .buffered(limitBytes: services.limits.requestBodyBytes) { head, bytes in
                .deferred { reply in
                    self.writing.run(for: caller.queueKey, .change) {
                        reply.resolve(with: self.settled(self.respond(head) { try body(caller, head, bytes) }))
                    }
                }
            }
        } catch {
            return .answer(failure(head, error))
        }
    }
}

/// An answer, or what must happen before there is one.
package enum PendingResponse {
    case ready(Response)
    /// `write` runs in the writers' queue and returns a closure that makes the answer outside of that queue.
    case afterWrite(_ write: @Sendable () throws -> @Sendable () throws -> Response)
    /// `wait` begins to wait for something, and calls `resume` once, on any thread, when the wait is over. `then` runs in the
    /// writers' queue and makes the answer.
    case later(
        _ wait: @Sendable (_ resume: @escaping @Sendable () -> Void) -> Void, then: @Sendable () throws -> Response)
}

extension RouteContext {
    /// A call with a small body that writes, and whose answer may have to wait for something. `body` runs in the writers' queue;
    /// no thread waits.
    ///
    /// `check` runs before any of the body is read; its result goes to `body`.
    func queuedPendingWrite<Caller: QueueKeyed>(
        _ head: RequestHead, check: () throws -> Caller,
        _ body: @escaping @Sendable (Caller, RequestHead, [UInt8]) throws -> PendingResponse
    ) -> RequestPlan {
        do {
            let caller = try check()
            return .buffered(limitBytes: services.limits.requestBodyBytes) { head, bytes in
                .deferred { reply in
                    self.writing.run(for: caller.queueKey) {
                        do {
                            self.resolve(reply, head, try body(caller, head, bytes), turn: caller.queueKey)
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

    /// - Parameter turn: the caller's `QueueKeyed.queueKey`.
    func resolve(_ reply: DeferredResponse, _ head: RequestHead, _ answer: PendingResponse, turn: String) {
        switch answer {
        case .ready(let response):
            reply.resolve(with: settled(coding.coded(response, for: head)))
        case .afterWrite(let write):
            writing.run(for: turn) {
                do {
                    let answer = try write()
                    self.serving.settle()
                    self.answering.run { reply.resolve(with: self.respond(head, answer)) }
                } catch {
                    reply.resolve(with: self.failure(head, error))
                }
            }
        case .later(let wait, let then):
            wait {
                self.writing.run(for: turn) { reply.resolve(with: self.settled(self.respond(head, then))) }
            }
        }
    }

    /// The answer to a call that may have changed something, when devices and the caller's next call find the change.
    private func settled(_ response: Response) -> Response {
        serving.settle()
        return response
    }
}

extension RouteContext {
    /// A slow admin call: reading a template, listing, exporting. It runs when its project's queue reaches it, and no
    /// thread of the HTTP server waits. `check` runs before any of the body is read; its result goes to `body`.
    ///
    /// - Parameter failure: renders an error, if its form differs from the usual one.
    package func queued<Caller: QueueKeyed>(
        _ head: RequestHead, limitBytes: Int? = nil,
        failure: (@Sendable (RequestHead, any Error) -> Response)? = nil, check: () throws -> Caller,
        _ body: @escaping @Sendable (Caller, RequestHead, [UInt8]) throws -> Response
    ) -> RequestPlan {
        queuedChange(head, limitBytes: limitBytes, failure: failure, check: check) { .ready(try body($0, $1, $2)) }
    }

    /// A slow admin call that changes something. Its slow part runs in the project's queue, and the writers' queue
    /// only writes (`PendingResponse.afterWrite`).
    func queuedChange<Caller: QueueKeyed>(
        _ head: RequestHead, limitBytes: Int? = nil,
        failure: (@Sendable (RequestHead, any Error) -> Response)? = nil, check: () throws -> Caller,
        _ body: @escaping @Sendable (Caller, RequestHead, [UInt8]) throws -> PendingResponse
    ) -> RequestPlan {
        let failure = failure ?? self.failure
        do {
            let caller = try check()
            let kind: FairScheduler.Kind = head.method == .get ? .read : .change
            let most = services.limits.waiting(kind)
            let scheduler = work(for: head)
            guard scheduler.canAdmit(for: caller.queueKey, kind, most: most) else { throw Self.crowded }
            return .buffered(limitBytes: limitBytes ?? services.limits.requestBodyBytes) { head, bytes in
                .deferred { reply in
                    let work: FairScheduler.Work = {
                        do {
                            self.resolve(reply, head, try body(caller, head, bytes), turn: caller.queueKey)
                        } catch {
                            reply.resolve(with: failure(head, error))
                        }
                    }
                    guard scheduler.run(for: caller.queueKey, kind, most: most, work) else {
                        reply.resolve(with: failure(head, Self.crowded))
                        return
                    }
                }
            }
        } catch {
            return .answer(failure(head, error))
        }
    }

    /// A slow answer to a device, in its project's queue of such answers.
    ///
    /// - Throws: 503 if too many of the project's devices wait.
    package func queuedForDevice(
        _ head: RequestHead, project: String, _ body: @escaping @Sendable () throws -> Response
    ) throws(APIError) -> Outcome {
        let most = services.limits.waiting(.fetch)
        let scheduler = work(for: head)
        guard scheduler.canAdmit(for: project, .fetch, most: most) else { throw Self.crowded }
        return .deferred { reply in
            let isTaken = scheduler.run(for: project, .fetch, most: most) {
                reply.resolve(with: self.respond(head, body))
            }
            if !isTaken { reply.resolve(with: self.failure(head, Self.crowded)) }
        }
    }

    /// A call without a body whose answer is looked up. No thread of the HTTP server waits for a database elsewhere.
    package func lookUp(_ head: RequestHead, _ body: @escaping @Sendable () throws -> Response) -> RequestPlan {
        guard metadata.contact != nil else { return .answer(respond(head, body)) }
        return .buffered(limitBytes: services.limits.requestBodyBytes) { head, _ in self.lookedUp(head, body) }
    }

    /// An answer that is looked up after the body has arrived.
    package func lookedUp(_ head: RequestHead, _ body: @escaping @Sendable () throws -> Response) -> Outcome {
        guard metadata.contact != nil else { return .respond(respond(head, body)) }
        return .deferred { [lookUps] reply in
            let isTaken = lookUps.run(for: Self.lookUpQueue(of: head), .read, most: Self.waitingLookUps) {
                reply.resolve(with: self.respond(head, body))
            }
            if !isTaken { reply.resolve(with: self.failure(head, Self.crowded)) }
        }
    }

    /// Looks a record up, and then changes it in the writers' queue.
    package func lookedUp<Found: QueueKeyed & Sendable>(
        _ head: RequestHead, then change: @escaping @Sendable (Found) throws -> Response,
        _ find: @escaping @Sendable () throws -> Found
    ) -> Outcome {
        .deferred { [lookUps] reply in
            let isTaken = lookUps.run(for: Self.lookUpQueue(of: head), .read, most: Self.waitingLookUps) {
                do {
                    let found = try find()
                    self.writing.run(for: found.queueKey) {
                        reply.resolve(with: self.respond(head) { try change(found) })
                    }
                } catch {
                    reply.resolve(with: self.failure(head, error))
                }
            }
            if !isTaken { reply.resolve(with: self.failure(head, Self.crowded)) }
        }
    }

    /// A call whose small body says nothing.
    package func afterBody(_ body: @escaping @Sendable (RequestHead) -> Outcome) -> RequestPlan {
        .buffered(limitBytes: services.limits.requestBodyBytes) { head, _ in body(head) }
    }

    /// The queue in which a client's look-ups wait. Nobody gets more turns by more addresses of one network.
    static func lookUpQueue(of head: RequestHead) -> String { ClientNetwork.name(of: head.remoteAddress) }

    /// The most look-ups that wait for one network, which may be the address of a proxy.
    private static let waitingLookUps = 2000

    /// An answer with the bytes of a blob. If they must be fetched first, no thread of the HTTP server waits.
    ///
    /// - Parameters:
    ///   - missing: the refusal if there is no such blob.
    ///   - failure: renders an error, if its form differs from the usual one.
    ///   - body: owns the open blob.
    package func answer(
        _ head: RequestHead, withBytesOf digest: SHA256Digest, missing: APIError = .notFound,
        failure: (@Sendable (RequestHead, any Error) -> Response)? = nil,
        _ body: @escaping @Sendable (RequestHead, OpenBlob) -> Response
    ) -> RequestPlan {
        let failure = failure ?? self.failure
        let blobs = services.blobs
        do throws(StorageError) {
            if let blob = try blobs.openAtHand(digest) { return .answer(coding.coded(body(head, blob), for: head)) }
        } catch {
            return .answer(failure(head, Self.refusal(error, missing: missing)))
        }
        return .buffered(limitBytes: 0) { [fetching, coding] head, _ in
            .deferred { reply in
                let isTaken = fetching.run(for: digest.hex, .fetch, most: Self.waitingForBlob) {
                    do throws(StorageError) {
                        let blob = try blobs.open(digest)
                        reply.resolve(with: coding.coded(body(head, blob), for: head))
                    } catch {
                        reply.resolve(with: failure(head, Self.refusal(error, missing: missing)))
                    }
                }
                if !isTaken { reply.resolve(with: failure(head, Self.crowded)) }
            }
        }
    }

    private static func refusal(_ cause: StorageError, missing: APIError) -> any Error {
        switch cause.code {
        case .notFound: return missing
        // A server that cannot keep a copy of a file is not at fault for its size: a later call, or another server, may succeed.
        case .noSpace:
            var error = APIError(
                .unavailable, "This server has no space for a copy of the file; try again.", cause: cause)
            error.retryAfterSeconds = retryAfterSeconds
            return error
        default: return cause
        }
    }

    /// The most calls that wait for one blob.
    private static let waitingForBlob = 1000

    private static let retryAfterSeconds = 5

    private static var crowded: APIError {
        var error = APIError(
            .unavailable, "Too many slow calls are queued; try again later.")
        error.retryAfterSeconds = retryAfterSeconds
        return error
    }
}

extension ServiceLimits {
    /// The most calls of one project that may wait.
    fileprivate func waiting(_ kind: FairScheduler.Kind) -> Int {
        switch kind {
        case .read: waitingReadsPerProject
        // These wait with their bodies in memory.
        case .change: waitingChangesPerProject
        case .fetch: waitingFetchesPerProject
        }
    }
}

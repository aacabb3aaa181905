import Dispatch
import HearthCatalog
import HearthCrypto
import HearthHTTP
import HearthRouting
import HearthStorage
import HearthValidation
import HearthWire
import HearthWork

/// What both upload APIs share: how a resumable upload continues from request to request, and the workers that complete
/// it.
struct UploadService: Sendable {
    let context: RouteContext
    let sessions: UploadSessions
    let completion: UploadCompletion
    let validation: ValidationQueue
    private let leases = UploadLeases()
    private let preparations = UploadPreparations()
    /// Completing waits for the disk, so it never runs on the HTTP server's threads.
    private let work = DispatchQueue(label: "app.hearth.uploads", attributes: .concurrent)

    init(_ context: RouteContext, _ metadata: any MetadataStore, _ validation: ValidationQueue) {
        self.context = context
        self.validation = validation
        sessions = UploadSessions(services: context.services, metadata: metadata)
        completion = UploadCompletion(services: context.services, metadata: metadata, validation: validation)
    }

    var services: Services { context.services }

    /// One change with its entry in the audit log.
    func change<Result>(
        by call: AdminCall, _ body: (_ store: any MetadataWriter, _ log: AuditLog) throws -> Result
    ) throws -> Result {
        try sessions.metadata.change(
            by: call.actor, in: call.project.id, atMicroseconds: context.nowMicroseconds, body)
    }

    var diskReserve: DiskReserve { DiskReserve(services) }

    /// The next request of a resumable upload: bytes, or a request for the progress.
    func put(
        _ head: RequestHead, _ id: String, _ call: AdminCall, expecting expected: ExpectedChecksums,
        _ responder: UploadResponder
    ) throws -> RequestPlan {
        let announced = try UploadRequest(head)
        if announced.isStatusQuery {
            // Checked before the record, because a request's bytes are in the record only after it ends.
            guard !leases.isTaken(id) else { throw UploadLeases.busy }
            let session = try sessions.find(id, call, briefly: context)
            if session.sha256 == nil, case .report = try announced.step(session, services.limits) {
                return .answer(UploadResponder.progress(session.receivedBytes))
            }
        }
        guard let lease = leases.acquire(id) else { throw preparations.refusal(of: id) }
        // The lease keeps other requests from continuing the upload.
        let session = try sessions.find(id, call, briefly: context)
        guard session.finishedMicroseconds == nil else { return finished(head, session, responder, lease) }
        let step = try announced.step(session, services.limits)
        guard let blob = try resumeHere(session, lease) else { return finished(head, session, responder, lease) }
        // An upload whose bytes have all arrived needs no disk space.
        if case .append = step { try diskReserve.check(for: step.remainingBytes(received: session.receivedBytes)) }
        var expected = expected
        expected.crc32c = expected.crc32c ?? session.crc32c.map { CRC32C(value: $0) }
        expected.md5 = expected.md5 ?? session.details.md5.flatMap { MD5Digest(base64: $0) }
        return .streaming(
            ChunkReceiver(
                LeasedUpload(blob: blob, lease: lease), of: session, at: ChunkReceiver.Position(step),
                expecting: expected,
                self, head, responder))
    }

    /// Cancels an upload of the caller.
    ///
    /// - Throws: 503 while another request writes to it, whose bytes must not disappear.
    func cancel(_ id: String, _ call: AdminCall) throws {
        guard let lease = leases.acquire(id) else { throw UploadLeases.busy }
        try withExtendedLifetime(lease) { try sessions.delete(sessions.find(id, call)) }
    }

    /// Cancels an unfinished upload of the project, whether it is the caller's or not.
    ///
    /// - Returns: the upload's state before.
    /// - Throws: `missing` if there is no such upload, 503 while a request writes to it.
    func cancelUnfinished(
        _ call: AdminCall, where isMeant: (UploadSession) -> Bool, otherwise missing: APIError
    ) throws -> UploadSession {
        guard let session = try sessions.unfinished(of: call.project).first(where: isMeant) else { throw missing }
        guard let lease = leases.acquire(session.id) else { throw UploadLeases.busy }
        return try withExtendedLifetime(lease) {
            // The upload may have been completed before this call got the lease.
            guard let session = try sessions.unfinished(of: call.project).first(where: isMeant) else { throw missing }
            try sessions.cancel(session, by: call)
            return session
        }
    }

    /// Completes a resumable upload. Bytes that differ from the announced ones are useless, so they are deleted.
    func complete(
        _ blob: any ResumedBlob, of session: UploadSession, expecting expected: ExpectedChecksums
    ) throws -> UploadedObject {
        do {
            return try completion.complete(blob, of: session, expecting: expected)
        } catch let error as APIError {
            // The bytes that a request at another server completes are not this one's to delete.
            if error.status != .unavailable { try sessions.delete(session) }
            throw error
        } catch let error as StorageError where error.code == .notFound {
            // It expired meanwhile, and maintenance deleted it.
            throw UploadSessions.gone
        }
    }

    /// Runs `body` on a worker with the value from the HTTP server's thread. Answers only after the value is released,
    /// because the caller's next request may come at once.
    func deferred<Value>(
        _ head: RequestHead, _ responder: UploadResponder, _ value: SendableBox<Value>,
        _ body: @escaping @Sendable (Value) throws -> UploadProgress
    ) -> Outcome {
        .deferred { reply in
            work.async {
                do {
                    switch try Self.run(value, body) {
                    case .inProgress(let receivedBytes):
                        reply.resolve(with: UploadResponder.progress(receivedBytes))
                    case .complete(let object):
                        validation.whenDone(object.sha256, withinSeconds: responder.waitSeconds) { _ in
                            reply.resolve(with: responder.respond(head) { try responder.success(object) })
                        }
                    }
                } catch {
                    reply.resolve(with: responder.failure(head, error))
                }
            }
        }
    }

    private static func run<Value>(
        _ value: SendableBox<Value>, _ body: (Value) throws -> UploadProgress
    ) throws -> UploadProgress {
        guard let value = value.take() else { throw StorageError(.io, "The upload is over") }
        return try body(value)
    }

    /// Answers with the result of `body`, which writes a record and moves no bytes.
    func queuedWrite(
        _ head: RequestHead, _ responder: UploadResponder, by call: AdminCall,
        _ body: @escaping @Sendable () throws -> Response
    ) -> Outcome {
        .deferred { reply in
            context.writing.run(for: call.queueKey) { reply.resolve(with: responder.respond(head, body)) }
        }
    }

    func runInBackground(_ body: @escaping @Sendable () -> Void) { work.async(execute: body) }

    /// As `resume`, on the HTTP server's threads: what takes long is done by a worker, for the next request.
    private func resumeHere(_ session: UploadSession, _ lease: UploadLease) throws -> (any ResumedBlob)? {
        switch preparations.takeProblem(session.id) {
        case .failed(let error): throw error
        case .lost: return nil
        case nil: break
        }
        guard !services.blobs.resumesAtOnce(session.id, from: session.receivedBytes) else { return try resume(session) }
        runInBackground { [self] in
            preparations.run(session.id) { try resume(session) != nil }
            withExtendedLifetime(lease) {}
        }
        throw UploadPreparations.refusal
    }

    /// Nil if the bytes are not in quarantine. Either they are in their place already, because a crash came before they
    /// were recorded, or they are lost.
    private func resume(_ session: UploadSession) throws -> (any ResumedBlob)? {
        do {
            let blob = try services.blobs.resume(
                session.id, from: session.receivedBytes, limitBytes: services.limits.uploadBytes)
            guard let blob else { throw UploadLeases.busy }
            return blob
        } catch let error as StorageError where error.code == .notFound {
            return nil
        }
    }

    /// An upload whose bytes are all in their place, or lost. The body of the request, if any, is ignored.
    private func finished(
        _ head: RequestHead, _ session: UploadSession, _ responder: UploadResponder, _ lease: UploadLease
    ) -> RequestPlan {
        .streaming(
            IgnoredBody(limitBytes: services.limits.uploadBytes) {
                deferred(head, responder, SendableBox(lease)) { [completion, sessions] _ in
                    do {
                        guard let object = try completion.object(of: session) else { throw UploadSessions.gone }
                        return .complete(object)
                    } catch let error as APIError {
                        // The bytes are lost, or another caller has replaced the object meanwhile: this upload can
                        // never succeed. Unless a request at another server is completing it.
                        if error.status != .unavailable { try sessions.delete(session) }
                        throw error
                    }
                }
            })
    }
}

/// The state of an upload after a request.
enum UploadProgress {
    /// That many bytes are durable.
    case inProgress(receivedBytes: UInt64)
    case complete(UploadedObject)
}

/// What the head of a request says about the bytes in its body.
private struct UploadRequest {
    private let range: UploadRange?
    private let contentLength: UInt64?

    init(_ head: RequestHead) throws(APIError) {
        contentLength = head.contentLength ?? (head.headers["Transfer-Encoding"] == nil ? 0 : nil)
        guard let text = head.headers["Content-Range"] else {
            range = nil
            return
        }
        guard let named = UploadRange(text) else {
            throw APIError(.invalidArgument, "Content-Range must be 'bytes FIRST-LAST/TOTAL' or 'bytes */TOTAL'.")
        }
        range = named
    }

    var isStatusQuery: Bool {
        if case .status = range { true } else { range == nil && contentLength == 0 }
    }

    func step(_ session: UploadSession, _ limits: ServiceLimits) throws(APIError) -> UploadStep {
        try UploadStep.decide(
            range: range, contentLength: contentLength, received: session.receivedBytes,
            announced: session.totalBytes, limitBytes: limits.uploadBytes)
    }
}

/// A body that is read and discarded.
private final class IgnoredBody: BodyReceiver {
    let limitBytes: UInt64?
    private let answer: () -> Outcome

    init(limitBytes: UInt64, _ answer: @escaping () -> Outcome) {
        self.limitBytes = limitBytes
        self.answer = answer
    }

    func receive(_ bytes: UnsafeRawBufferPointer) {}
    func finish() -> Outcome { answer() }
    func abandon() {}
}

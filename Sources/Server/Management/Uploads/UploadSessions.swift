import HearthCatalog
import HearthCrypto
import HearthRouting
import HearthStorage
import HearthWire

/// The records of resumable uploads: created, found, updated, deleted. The maintenance deletes expired ones.
struct UploadSessions: Sendable {
    let services: Services
    let metadata: any MetadataStore

    /// A new upload, with an id that cannot be guessed.
    ///
    /// - Throws: 429 if the project has too many uploads under way, 507 if the disk has no space for it.
    func begin(
        _ target: UploadTarget, totalBytes: UInt64?, crc32c: CRC32C?, by actor: String
    ) throws -> UploadSession {
        if let totalBytes, totalBytes > services.limits.uploadBytes {
            throw APIError(
                .invalidArgument, "The file is larger than \(services.limits.uploadBytes) bytes.", httpStatus: 413)
        }
        try DiskReserve(services).check(for: totalBytes ?? 0)
        let now = services.now().microseconds
        let session = UploadSession(
            id: Base64URL.encode(SecureRandom.bytes(24)), projectID: target.projectID, bucket: target.bucket,
            name: target.name, fileName: target.fileName, contentType: target.contentType,
            details: target.details, conditions: target.conditions, totalBytes: totalBytes,
            crc32c: crc32c?.value, createdMicroseconds: now, createdBy: actor, touchedMicroseconds: now)
        let limit = services.limits.uploadSessionsPerProject
        try metadata.write { store in
            let others = try store.uploadSessions().filter { $0.projectID == session.projectID }
            // Finished uploads only answer a repeated last request, so the oldest are deleted first.
            for old in others.filter({ $0.finishedMicroseconds != nil }).dropLast(limit) { try store.delete(old) }
            // An expired upload only waits for its deletion, so it does not count.
            guard others.count(where: { $0.finishedMicroseconds == nil && !hasExpired($0) }) < limit else {
                throw APIError(
                    .resourceExhausted,
                    "The project has \(limit) uploads under way; finish or cancel one, or wait until one expires.")
            }
            try store.insert(session)
        }
        return session
    }

    /// The upload with that id, if it is the caller's and has not expired.
    ///
    /// - Parameter context: on the HTTP server's threads.
    func find(_ id: String, _ call: AdminCall, briefly context: RouteContext? = nil) throws -> UploadSession {
        let session =
            try context?.briefly { try $0.uploadSession(id: id) }
            ?? metadata.read { try $0.uploadSession(id: id) }
        guard let session, session.projectID == call.project.id, session.createdBy == call.actor,
            !hasExpired(session)
        else { throw Self.gone }
        return session
    }

    /// Records that so many bytes are durable. Call it before the answer to the uploader.
    func advance(_ session: UploadSession, to receivedBytes: UInt64, total: UInt64?) throws -> UploadSession {
        var next = session
        next.receivedBytes = receivedBytes
        next.totalBytes = total ?? session.totalBytes
        next.touchedMicroseconds = services.now().microseconds
        try replace(session, by: next)
        return next
    }

    /// - Throws: `gone` if the upload was cancelled meanwhile, `UploadLeases.busy` if a request at another server has
    ///   continued it.
    func replace(_ session: UploadSession, by next: UploadSession) throws {
        try metadata.write { try Self.replace(session, by: next, $0) }
    }

    /// Replaces the record inside a transaction. A lease keeps requests at one server apart; this keeps those at two
    /// servers apart.
    ///
    /// - Throws: `gone` if the upload was cancelled meanwhile, `UploadLeases.busy` if a request at another server has
    ///   continued it.
    static func replace(_ session: UploadSession, by next: UploadSession, _ store: any MetadataWriter) throws {
        guard let known = try store.uploadSession(id: session.id) else { throw gone }
        guard known == session else { throw UploadLeases.busy }
        try store.update(next)
    }

    /// Deletes the record first: the maintenance finds and deletes bytes without a record, but a record without bytes
    /// would promise an upload that cannot continue.
    func delete(_ session: UploadSession) throws {
        do {
            try metadata.write { try $0.delete(session) }
        } catch let error as StorageError where error.code == .notFound {
            // Another request has deleted it.
        }
        try services.blobs.removeResumable(session.id)
    }

    /// The project's uploads that are not finished, oldest first; also expired ones that wait for their deletion.
    func unfinished(of project: Project) throws -> [UploadSession] {
        try metadata.read { try $0.uploadSessions() }
            .filter { $0.projectID == project.id && $0.finishedMicroseconds == nil }
    }

    /// Like `delete`, with an entry in the audit log.
    ///
    /// - Throws: `gone` if the maintenance has deleted it.
    func cancel(_ session: UploadSession, by call: AdminCall) throws {
        do {
            try metadata.change(
                by: call.actor, in: session.projectID, atMicroseconds: services.now().microseconds
            ) { store, log in
                try store.delete(session)
                try log.add(
                    "upload.cancel", "uploads/\(session.publicName)",
                    "\(session.fileName), \(session.receivedBytes) bytes by \(session.createdBy)")
            }
        } catch let error as StorageError where error.code == .notFound {
            throw Self.gone
        }
        try services.blobs.removeResumable(session.id)
    }

    /// What is known of the file of an upload that is complete.
    func validation(of object: UploadedObject) throws -> Validation? {
        try metadata.read { try $0.validation(sha256: object.sha256) }
    }

    static let gone = APIError(
        .notFound, "Upload not found: it was never started, was cancelled or has expired. Start a new one.")

    private func hasExpired(_ session: UploadSession) -> Bool {
        session.hasExpired(keptDays: services.limits.uploadSessionDays, nowMicroseconds: services.now().microseconds)
    }
}

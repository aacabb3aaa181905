import HearthCatalog
import HearthCrypto
import HearthStorage
import HearthWire
import Synchronization

/// The records of resumable uploads: made, found, moved on, forgotten. Those that expired are removed by the maintenance.
struct UploadSessions: Sendable {
    let services: Services

    /// A new upload, with an id that nobody can guess.
    ///
    /// - Throws: 429 when the project has as many under way as it may have, 507 when there is no room for it.
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
        try services.metadata.write { store in
            let others = try store.uploadSessions().filter { $0.projectID == session.projectID }
            // Finished ones only answer a last request that is made again; the oldest are not worth their place.
            for old in others.filter({ $0.finishedMicroseconds != nil }).dropLast(limit) { try store.delete(old) }
            // One that has expired waits for its removal only.
            guard others.count(where: { $0.finishedMicroseconds == nil && !hasExpired($0) }) < limit else {
                throw APIError(
                    .resourceExhausted,
                    "The project has \(limit) uploads under way; finish or cancel one, or wait until one expires.")
            }
            try store.insert(session)
        }
        return session
    }

    /// The upload of that id, if it is the caller's and has not expired.
    func find(_ id: String, _ call: AdminCall) throws -> UploadSession {
        let session = try services.metadata.read { try $0.uploadSession(id: id) }
        guard let session, session.projectID == call.project.id, session.createdBy == call.actor,
            !hasExpired(session)
        else { throw Self.gone }
        return session
    }

    /// Notes that so many bytes are durable: before the uploader is told.
    func advance(_ session: UploadSession, to receivedBytes: UInt64, total: UInt64?) throws -> UploadSession {
        var session = session
        session.receivedBytes = receivedBytes
        session.totalBytes = total ?? session.totalBytes
        session.touchedMicroseconds = services.now().microseconds
        try update(session)
        return session
    }

    /// - Throws: `gone` when it was cancelled meanwhile.
    func update(_ session: UploadSession) throws {
        do {
            try services.metadata.write { try $0.update(session) }
        } catch let error as StorageError where error.code == .notFound {
            throw Self.gone
        }
    }

    /// The record first: bytes without a record are found and removed, a record without its bytes would be a promise
    /// that cannot be kept.
    func delete(_ session: UploadSession) throws {
        do {
            try services.metadata.write { try $0.delete(session) }
        } catch let error as StorageError where error.code == .notFound {
            // Somebody else was faster.
        }
        try services.blobs.removeResumable(session.id)
    }

    /// Those of the project that are not finished, also such as have expired and wait for their removal; oldest first.
    func unfinished(of project: Project) throws -> [UploadSession] {
        try services.metadata.read { try $0.uploadSessions() }
            .filter { $0.projectID == project.id && $0.finishedMicroseconds == nil }
    }

    /// As `delete`, with an entry in the audit log.
    ///
    /// - Throws: `gone` when the maintenance was faster.
    func cancel(_ session: UploadSession, by call: AdminCall, _ context: RouteContext) throws {
        do {
            try context.change(by: call.principal, in: session.projectID) { store, log in
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

    static let gone = APIError(
        .notFound, "Upload not found: it was never started, was cancelled or has expired. Start a new one.")

    private func hasExpired(_ session: UploadSession) -> Bool {
        session.hasExpired(keptDays: services.limits.uploadSessionDays, nowMicroseconds: services.now().microseconds)
    }
}

/// Which resumable uploads a request works on now: each is written by one at a time.
final class UploadLeases: Sendable {
    private let taken = Mutex<Set<String>>([])

    /// Nil while another request has it.
    func acquire(_ id: String) -> UploadLease? {
        guard taken.withLock({ $0.insert(id).inserted }) else { return nil }
        return UploadLease { [self] in _ = taken.withLock { $0.remove(id) } }
    }

    /// Whether a request has it now.
    func isTaken(_ id: String) -> Bool { taken.withLock { $0.contains(id) } }
}

/// The right to write to one upload, given back when released.
final class UploadLease: Sendable {
    private let giveBack: @Sendable () -> Void

    init(_ giveBack: @escaping @Sendable () -> Void) { self.giveBack = giveBack }

    deinit { giveBack() }
}

/// An upload's bytes and the right to write to them.
struct LeasedUpload {
    let blob: any ResumedBlob
    let lease: UploadLease
}

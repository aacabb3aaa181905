import HearthCatalog
import HearthCrypto
import HearthRouting
import HearthStorage
import HearthValidation
import HearthWire

/// Completes uploads: the bytes become durable and visible under their hash, then one transaction records the object,
/// its pending validation and the uploader. Calls block, so they never run on the HTTP server's threads.
struct UploadCompletion: Sendable {
    let services: Services
    let metadata: any MetadataStore
    let validation: ValidationQueue

    /// Completes an upload in one request.
    func complete(
        _ blob: any IncomingBlob, as target: UploadTarget, expecting expected: ExpectedChecksums, by actor: String
    ) throws -> UploadedObject {
        let found = try blob.seal()
        try expected.check(found.sha256, found.crc32c)
        try expected.checkMD5(of: blob)
        try checkConditions(target)
        var target = target
        target.details.md5 = expected.md5?.base64
        try blob.prepareCommit()
        return try record(target, found, blob.size, actor, commit: { try blob.commit() })
    }

    /// Completes a resumable upload. The hash is recorded before the bytes move to their place under it, so that a
    /// crash in between loses nothing that the uploader believes stored.
    func complete(
        _ blob: any ResumedBlob, of session: UploadSession, expecting expected: ExpectedChecksums
    ) throws -> UploadedObject {
        let found = try blob.seal()
        try expected.check(found.sha256, found.crc32c)
        try expected.checkMD5(of: blob)
        try checkConditions(UploadTarget(session))
        var sealed = session
        sealed.details.md5 = expected.md5?.base64
        sealed.receivedBytes = blob.size
        sealed.crc32c = found.crc32c.value
        sealed.sha256 = found.sha256.hex
        try UploadSessions(services: services, metadata: metadata).replace(session, by: sealed)
        try blob.prepareCommit()
        return try finish(sealed, found, commit: { try blob.commit() })
    }

    /// Whether the object may replace the existing one. Checked early, before any bytes move; the check in the
    /// transaction that records the object decides.
    ///
    /// - Throws: 412 if it may not.
    func checkConditions(_ target: UploadTarget) throws {
        guard target.conditions != ObjectConditions() else { return }
        let present = try metadata.read {
            try $0.object(bucket: target.bucket, name: target.name, project: target.projectID)
        }
        try target.conditions.check(present)
    }

    /// The object of a resumable upload whose bytes are in their place. It is recorded now if a crash prevented that.
    /// Nil if the bytes are not in their place yet.
    func object(of session: UploadSession) throws -> UploadedObject? {
        guard let hex = session.sha256, let digest = SHA256Digest(hex: hex) else { return nil }
        let checksum = CRC32C(value: session.crc32c ?? 0)
        guard let finished = session.finishedMicroseconds else {
            guard try services.blobs.size(of: digest) != nil else { return nil }
            return try finish(session, BlobChecksums(sha256: digest, crc32c: checksum), commit: {})
        }
        return UploadTarget(session).object(
            sha256: hex, crc32c: checksum, sizeBytes: session.receivedBytes, createdMicroseconds: finished)
    }

    private func finish(
        _ session: UploadSession, _ found: BlobChecksums, commit: () throws -> Void
    ) throws -> UploadedObject {
        try record(
            UploadTarget(session), found, session.receivedBytes, session.createdBy, session: session, commit: commit)
    }

    private func record(
        _ target: UploadTarget, _ found: BlobChecksums, _ sizeBytes: UInt64, _ actor: String,
        session: UploadSession? = nil, commit: () throws -> Void
    ) throws -> UploadedObject {
        let now = services.now().microseconds
        var object = target.object(
            sha256: found.sha256.hex, crc32c: found.crc32c, sizeBytes: sizeBytes, createdMicroseconds: now)
        _ = try validation.admit(
            found.sha256, sizeBytes: sizeBytes, project: object.projectID, commit: commit
        ) { store in
            let present = try store.object(bucket: object.bucket, name: object.name, project: object.projectID)
            try target.conditions.check(present)
            object.follow(present)
            try store.put(object)
            try store.append(
                AuditEntry(
                    projectID: object.projectID, actor: actor, action: "file.upload", subject: object.uri,
                    detail: "\(sizeBytes) bytes \(object.sha256)", atMicroseconds: now))
            if let session {
                var finished = session
                // So that a repeated last request gets the same generation in its answer.
                finished.finishedMicroseconds = object.createdMicroseconds
                finished.touchedMicroseconds = now
                try UploadSessions.replace(session, by: finished, store)
            }
        }
        return object
    }
}

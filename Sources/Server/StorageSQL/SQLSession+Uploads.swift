import HearthCatalog
import HearthStorage

extension SQLSession {
    func object(bucket: String, name: String, project: String) throws -> UploadedObject? {
        try connection.row(
            "SELECT \(Columns.object) FROM object WHERE project = ? AND bucket = ? AND name = ?",
            [.text(project), .text(bucket), .text(name)], Columns.object)
    }

    func objects(project: String) throws -> [UploadedObject] {
        try connection.rows(
            "SELECT \(Columns.object) FROM object WHERE project = ? ORDER BY bucket, name", [.text(project)],
            Columns.object)
    }

    func put(_ object: UploadedObject) throws {
        try replace(in: "object", key: "project, bucket, name", Columns.object, try Columns.values(of: object))
    }

    func delete(_ object: UploadedObject) throws {
        try delete(
            from: "object", where: "project = ? AND bucket = ? AND name = ?",
            [.text(object.projectID), .text(object.bucket), .text(object.name)])
    }

    func validation(sha256: String) throws -> Validation? {
        try connection.row(
            "SELECT \(Columns.validation) FROM validation WHERE sha256 = ?", [.text(sha256)], Columns.validation)
    }

    func pendingValidations() throws -> [Validation] {
        try connection.rows(
            "SELECT \(Columns.validation) FROM validation WHERE verdict = 'pending' ORDER BY requested_us, sha256", [],
            Columns.validation)
    }

    func validations() throws -> [Validation] {
        try connection.rows("SELECT \(Columns.validation) FROM validation ORDER BY sha256", [], Columns.validation)
    }

    func referencedHashes() throws -> Set<String> {
        Set(
            try connection.texts(
                """
                SELECT sha256 FROM version UNION SELECT sha256 FROM object UNION SELECT sha256 FROM rehearsal_image
                UNION SELECT sha256 FROM upload_session WHERE sha256 IS NOT NULL AND finished_us IS NULL
                """))
    }

    func recordedSize(sha256: String) throws -> UInt64? {
        try connection.rows(
            """
            SELECT size_bytes FROM validation WHERE sha256 = ?1 UNION SELECT size_bytes FROM rehearsal_image WHERE sha256 = ?1
            """, [.text(sha256)]
        ) { (row) throws(StorageError) in try Columns.bytes(row, 0) }.max()
    }

    func isReferenced(sha256: String) throws -> Bool {
        try count(
            """
            SELECT EXISTS (SELECT 1 FROM version WHERE sha256 = ?1) OR EXISTS (SELECT 1 FROM object WHERE sha256 = ?1)
                OR EXISTS (SELECT 1 FROM rehearsal_image WHERE sha256 = ?1)
                OR EXISTS (SELECT 1 FROM upload_session WHERE sha256 = ?1 AND finished_us IS NULL)
            """, [.text(sha256)]) != 0
    }

    func hasVersion(of object: UploadedObject) throws -> Bool {
        try count(
            """
            SELECT EXISTS (
                SELECT 1 FROM version JOIN model ON model.id = version.model
                WHERE version.sha256 = ? AND source_uri = ? AND project = ?)
            """, [.text(object.sha256), .text(object.uri), .text(object.projectID)]) != 0
    }

    func put(_ validation: Validation) throws {
        try replace(in: "validation", key: "sha256", Columns.validation, try Columns.values(of: validation))
        if case .malformed = validation.verdict { changesServing = true }
    }

    func delete(_ validation: Validation) throws {
        try delete(from: "validation", where: "sha256 = ?", [.text(validation.sha256)])
    }

    func uploadSession(id: String) throws -> UploadSession? {
        try connection.row(
            "SELECT \(Columns.session) FROM upload_session WHERE id = ?", [.text(id)], Columns.session)
    }

    func uploadSessions() throws -> [UploadSession] {
        try connection.rows(
            "SELECT \(Columns.session) FROM upload_session ORDER BY created_us, id", [], Columns.session)
    }

    func insert(_ session: UploadSession) throws {
        try insert(into: "upload_session", Columns.session, try Columns.values(of: session))
    }

    func update(_ session: UploadSession) throws {
        try update(
            "upload_session", Columns.session, try Columns.values(of: session), where: "id = ?", [.text(session.id)])
    }

    func delete(_ session: UploadSession) throws {
        try delete(from: "upload_session", where: "id = ?", [.text(session.id)])
    }
}

extension Columns {
    static let object = "project, bucket, name, sha256, size_bytes, crc32c, content_type, created_us, details"
    static let validation = """
        sha256, size_bytes, verdict, verdict_message, contract, figures, requested_us, finished_us, is_provisional
        """
    static let session = """
        id, project, bucket, name, file_name, content_type, total_bytes, crc32c, created_us, created_by, touched_us,
        received_bytes, sha256, finished_us, details, conditions
        """

    static func object(_ row: any SQLRow) throws(StorageError) -> UploadedObject {
        UploadedObject(
            projectID: row.text(0), bucket: row.text(1), name: row.text(2), sha256: row.text(3),
            sizeBytes: try bytes(row, 4), crc32c: try checksum(row, 5) ?? 0, contentType: row.text(6),
            details: try decode(ObjectDetails.self, row.text(8)), createdMicroseconds: row.integer(7))
    }

    static func values(of object: UploadedObject) throws(StorageError) -> [SQLValue] {
        [
            .text(object.projectID), .text(object.bucket), .text(object.name), .text(object.sha256),
            .integer(try StoredSize.integer(object.sizeBytes)), .integer(Int64(object.crc32c)),
            .text(object.contentType), .integer(object.createdMicroseconds), try json(object.details),
        ]
    }

    static func validation(_ row: any SQLRow) throws(StorageError) -> Validation {
        Validation(
            sha256: row.text(0), sizeBytes: try bytes(row, 1), verdict: try verdict(row.text(2), row.text(3)),
            contractJSON: row.optionalText(4), measurementsJSON: row.optionalText(5),
            requestedMicroseconds: row.integer(6),
            finishedMicroseconds: row.optionalInteger(7), note: note(row.text(2), row.text(3)),
            isProvisional: row.integer(8) != 0)
    }

    /// The column contains the message of a verdict, or the note of a pending validation; there is never both.
    private static func note(_ verdict: String, _ message: String) -> String? {
        verdict == "pending" && !message.isEmpty ? message : nil
    }

    static func values(of validation: Validation) throws(StorageError) -> [SQLValue] {
        let (name, message) = text(of: validation)
        return [
            .text(validation.sha256), .integer(try StoredSize.integer(validation.sizeBytes)), .text(name),
            .text(message), .optional(validation.contractJSON), .optional(validation.measurementsJSON),
            .integer(validation.requestedMicroseconds), .optional(validation.finishedMicroseconds),
            .integer(validation.isProvisional ? 1 : 0),
        ]
    }

    private static func text(of validation: Validation) -> (name: String, message: String) {
        switch validation.verdict {
        case .pending: ("pending", validation.note ?? "")
        case .ok: ("ok", "")
        case .unsupported(let message): ("unsupported", message)
        case .malformed(let message): ("malformed", message)
        }
    }

    private static func verdict(_ name: String, _ message: String) throws(StorageError) -> Verdict {
        switch name {
        case "pending": return .pending
        case "ok": return .ok
        case "unsupported": return .unsupported(message)
        case "malformed": return .malformed(message)
        default: throw StorageError(.corrupt, "The database holds an unknown verdict '\(name)'")
        }
    }

    static func session(_ row: any SQLRow) throws(StorageError) -> UploadSession {
        UploadSession(
            id: row.text(0), projectID: row.text(1), bucket: row.text(2), name: row.text(3), fileName: row.text(4),
            contentType: row.text(5), details: try decode(ObjectDetails.self, row.text(14)),
            conditions: try decode(ObjectConditions.self, row.text(15)),
            totalBytes: row.optionalInteger(6) == nil ? nil : try bytes(row, 6),
            crc32c: try checksum(row, 7), createdMicroseconds: row.integer(8), createdBy: row.text(9),
            touchedMicroseconds: row.integer(10), receivedBytes: try bytes(row, 11), sha256: row.optionalText(12),
            finishedMicroseconds: row.optionalInteger(13))
    }

    static func values(of session: UploadSession) throws(StorageError) -> [SQLValue] {
        [
            .text(session.id), .text(session.projectID), .text(session.bucket), .text(session.name),
            .text(session.fileName), .text(session.contentType),
            .optional(try session.totalBytes.map { (total) throws(StorageError) in try StoredSize.integer(total) }),
            .optional(session.crc32c.map(Int64.init)), .integer(session.createdMicroseconds),
            .text(session.createdBy), .integer(session.touchedMicroseconds),
            .integer(try StoredSize.integer(session.receivedBytes)), .optional(session.sha256),
            .optional(session.finishedMicroseconds), try json(session.details),
            try json(session.conditions),
        ]
    }
}

import HearthCatalog
import HearthStorage

extension SQLSession {
    func object(bucket: String, name: String, project: String) throws -> UploadedObject? {
        try record(key: [.text(project), .text(bucket), .text(name)])
    }

    func objects(project: String) throws -> [UploadedObject] {
        try records("WHERE project = ? ORDER BY bucket, name", [.text(project)])
    }

    func put(_ object: UploadedObject) throws { try putRow(object) }

    func delete(_ object: UploadedObject) throws {
        try deleteRow(
            of: UploadedObject.table, key: [.text(object.projectID), .text(object.bucket), .text(object.name)])
    }

    func validation(sha256: String) throws -> Validation? { try record(key: [.text(sha256)]) }

    func pendingValidations() throws -> [Validation] {
        try records("WHERE verdict = 'pending' ORDER BY requested_us, sha256")
    }

    func validations() throws -> [Validation] { try records("ORDER BY sha256") }

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
        ) { (row) throws(StorageError) in try row.size(.size_bytes) }.max()
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
        try putRow(validation)
        if case .malformed = validation.verdict { changesServing = true }
    }

    func delete(_ validation: Validation) throws {
        try deleteRow(of: Validation.table, key: [.text(validation.sha256)])
    }

    func uploadSession(id: String) throws -> UploadSession? { try record(key: [.text(id)]) }

    func uploadSessions() throws -> [UploadSession] { try records("ORDER BY created_us, id") }

    func insert(_ session: UploadSession) throws { try insertRow(session) }

    func update(_ session: UploadSession) throws { try updateRow(session) }

    func delete(_ session: UploadSession) throws {
        try deleteRow(of: UploadSession.table, key: [.text(session.id)])
    }
}

extension UploadedObject: SQLRecord {
    static let table = SQLTable(
        "object",
        [.project, .bucket, .name, .sha256, .size_bytes, .crc32c, .content_type, .created_us, .details],
        key: [.project, .bucket, .name])

    init(_ row: SQLRow) throws(StorageError) {
        self.init(
            projectID: row.text(.project), bucket: row.text(.bucket), name: row.text(.name), sha256: row.text(.sha256),
            sizeBytes: try row.size(.size_bytes), crc32c: try row.checksum(.crc32c) ?? 0,
            contentType: row.text(.content_type), details: try row.json(.details),
            createdMicroseconds: row.integer(.created_us))
    }

    func values() throws(StorageError) -> [SQLValue] {
        [
            .text(projectID), .text(bucket), .text(name), .text(sha256), try .size(sizeBytes),
            .integer(Int64(crc32c)), .text(contentType), .integer(createdMicroseconds), try .json(details),
        ]
    }
}

extension Validation: SQLRecord {
    static let table = SQLTable(
        "validation",
        [
            .sha256, .size_bytes, .verdict, .verdict_message, .contract, .figures, .requested_us, .finished_us,
            .is_provisional,
        ], key: [.sha256])

    init(_ row: SQLRow) throws(StorageError) {
        let (name, message) = (row.text(.verdict), row.text(.verdict_message))
        self.init(
            sha256: row.text(.sha256), sizeBytes: try row.size(.size_bytes), verdict: try Self.verdict(name, message),
            contractJSON: row.optionalText(.contract), measurementsJSON: row.optionalText(.figures),
            requestedMicroseconds: row.integer(.requested_us),
            finishedMicroseconds: row.optionalInteger(.finished_us),
            // The column contains the message of a verdict, or the note of a pending validation; there is never both.
            note: name == "pending" && !message.isEmpty ? message : nil, isProvisional: row.bool(.is_provisional))
    }

    func values() throws(StorageError) -> [SQLValue] {
        let (name, message) = verdictText
        return [
            .text(sha256), try .size(sizeBytes), .text(name), .text(message), .optional(contractJSON),
            .optional(measurementsJSON), .integer(requestedMicroseconds), .optional(finishedMicroseconds),
            .bool(isProvisional),
        ]
    }

    private var verdictText: (name: String, message: String) {
        switch verdict {
        case .pending: ("pending", note ?? "")
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
}

extension UploadSession: SQLRecord {
    static let table = SQLTable(
        "upload_session",
        [
            .id, .project, .bucket, .name, .file_name, .content_type, .total_bytes, .crc32c, .created_us, .created_by,
            .touched_us, .received_bytes, .sha256, .finished_us, .details, .conditions,
        ], key: [.id])

    init(_ row: SQLRow) throws(StorageError) {
        self.init(
            id: row.text(.id), projectID: row.text(.project), bucket: row.text(.bucket), name: row.text(.name),
            fileName: row.text(.file_name), contentType: row.text(.content_type), details: try row.json(.details),
            conditions: try row.json(.conditions),
            totalBytes: row.isNull(.total_bytes) ? nil : try row.size(.total_bytes),
            crc32c: try row.checksum(.crc32c), createdMicroseconds: row.integer(.created_us),
            createdBy: row.text(.created_by), touchedMicroseconds: row.integer(.touched_us),
            receivedBytes: try row.size(.received_bytes), sha256: row.optionalText(.sha256),
            finishedMicroseconds: row.optionalInteger(.finished_us))
    }

    func values() throws(StorageError) -> [SQLValue] {
        [
            .text(id), .text(projectID), .text(bucket), .text(name), .text(fileName), .text(contentType),
            try totalBytes.map { (total) throws(StorageError) in try .size(total) } ?? .null,
            .optional(crc32c.map(Int64.init)), .integer(createdMicroseconds), .text(createdBy),
            .integer(touchedMicroseconds), try .size(receivedBytes), .optional(sha256),
            .optional(finishedMicroseconds), try .json(details), try .json(conditions),
        ]
    }
}

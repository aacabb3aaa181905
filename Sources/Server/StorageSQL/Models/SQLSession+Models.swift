import HearthCatalog
import HearthStorage
import HearthWire

extension SQLSession {
    func model(id: Int64, project: String) throws -> Model? {
        try record("WHERE id = ? AND project = ?", [.integer(id), .text(project)])
    }

    func model(displayName: String, project: String) throws -> Model? {
        try record("WHERE project = ? AND display_name = ?", [.text(project), .text(displayName)])
    }

    func models(project: String, after: Int64, limit: Int) throws -> [Model] {
        try records(
            "WHERE project = ? AND id > ? ORDER BY id LIMIT ?", [.text(project), .integer(after), .int(limit)])
    }

    func modelsToPublish(sha256: String) throws -> [Model] {
        try records(
            """
            WHERE EXISTS (SELECT 1 FROM version
                WHERE version.model = model.id AND version.number = publish_when_validated AND version.sha256 = ?)
            ORDER BY id
            """, [.text(sha256)])
    }

    func nextModelID() throws -> Int64 {
        try connection.run("UPDATE counter SET value = value + 1 WHERE name = 'model'")
        let value = try connection.integer("SELECT value FROM counter WHERE name = 'model'")
        guard let value else { throw StorageError(.corrupt, "The database has no counter for model ids") }
        return value
    }

    func insert(_ model: Model) throws { try insertRow(model, isServed: true) }

    func update(_ model: Model) throws { try updateRow(model, isServed: true) }

    func delete(_ model: Model) throws {
        try deleteRow(of: Model.table, key: [.integer(model.id)], isServed: true)
    }

    func version(_ number: Int, model: Int64) throws -> ModelVersion? {
        try record(key: [.integer(model), .int(number)])
    }

    func versions(model: Int64) throws -> [ModelVersion] {
        try records("WHERE model = ? ORDER BY number", [.integer(model)])
    }

    func insert(_ version: ModelVersion) throws { try insertRow(version, isServed: true) }

    func release(_ number: Int, model: Int64) throws -> Release? {
        try record(key: [.integer(model), .int(number)])
    }

    func releases(model: Int64) throws -> [Release] {
        try records("WHERE model = ? ORDER BY number DESC", [.integer(model)])
    }

    func servedReleases() throws -> [ServedRelease] {
        try connection.rows(
            """
            SELECT \(Release.table.joinedList), model.project, model.display_name, version.sha256, version.size_bytes
            FROM release JOIN model ON model.id = release.model
                JOIN version ON version.model = release.model AND version.number = release.version
            WHERE ended_us IS NULL ORDER BY release.model, release.number DESC
            """
        ) { (row) throws(StorageError) in
            ServedRelease(
                projectID: row.text(.project), displayName: row.text(.display_name), release: try Release(row),
                sha256: row.text(.sha256), sizeBytes: try row.size(.size_bytes))
        }
    }

    func insert(_ release: Release) throws { try insertRow(release, isServed: true) }

    func update(_ release: Release) throws { try updateRow(release, isServed: true) }
}

extension Model: SQLRecord {
    static let table = SQLTable(
        "model",
        [
            .id, .project, .display_name, .tags, .newest_version, .is_published, .released_version,
            .publish_when_validated, .contract_check, .rehearsal_gate, .rehearsal_check, .revision, .created_us,
            .updated_us,
        ], key: [.id])

    init(_ row: SQLRow) throws(StorageError) {
        self.init(
            id: row.integer(.id), projectID: row.text(.project), displayName: row.text(.display_name),
            tags: Self.tags(row), newestVersion: row.optionalInt(.newest_version), isPublished: row.bool(.is_published),
            releasedVersion: row.optionalInt(.released_version),
            publishWhenValidated: row.optionalInt(.publish_when_validated),
            contractCheck: try row.known(.contract_check), rehearsalGate: row.optionalText(.rehearsal_gate),
            rehearsalCheck: try row.known(.rehearsal_check), revision: row.integer(.revision),
            createdMicroseconds: row.integer(.created_us), updatedMicroseconds: row.integer(.updated_us))
    }

    /// Tags are joined by commas, because no tag contains one.
    static func tags(_ row: SQLRow) -> [String] { row.text(.tags).split(separator: ",").map(String.init) }

    func values() -> [SQLValue] {
        [
            .integer(id), .text(projectID), .text(displayName), .text(tags.joined(separator: ",")),
            .optional(newestVersion), .bool(isPublished), .optional(releasedVersion), .optional(publishWhenValidated),
            .text(contractCheck.rawValue), .optional(rehearsalGate), .text(rehearsalCheck.rawValue), .integer(revision),
            .integer(createdMicroseconds), .integer(updatedMicroseconds),
        ]
    }
}

extension ModelVersion: SQLRecord {
    static let table = SQLTable(
        "version", [.model, .number, .sha256, .size_bytes, .source_uri, .created_us, .created_by, .note],
        key: [.model, .number])

    init(_ row: SQLRow) throws(StorageError) {
        self.init(
            modelID: row.integer(.model), number: row.int(.number), sha256: row.text(.sha256),
            sizeBytes: try row.size(.size_bytes), sourceURI: row.text(.source_uri),
            createdMicroseconds: row.integer(.created_us), createdBy: row.text(.created_by),
            note: row.optionalText(.note))
    }

    func values() throws(StorageError) -> [SQLValue] {
        [
            .integer(modelID), .int(number), .text(sha256), try .size(sizeBytes), .text(sourceURI),
            .integer(createdMicroseconds), .text(createdBy), .optional(note),
        ]
    }
}

extension Release: SQLRecord {
    static let table = SQLTable(
        "release",
        [
            .model, .number, .version, .kind, .share, .stages, .audience, .paused_us, .ended_us, .guarding, .created_us,
            .created_by,
        ], key: [.model, .number])

    init(_ row: SQLRow) throws(StorageError) {
        self.init(
            modelID: row.integer(.model), number: row.int(.number), version: row.int(.version),
            kind: try row.known(.kind), shareMillionths: row.int(.share), stages: try row.json(.stages),
            audience: try row.json(.audience), pausedMicroseconds: row.optionalInteger(.paused_us),
            endedMicroseconds: row.optionalInteger(.ended_us),
            guarding: row.isNull(.guarding) ? nil : try row.json(.guarding),
            createdMicroseconds: row.integer(.created_us), createdBy: row.text(.created_by))
    }

    func values() throws(StorageError) -> [SQLValue] {
        [
            .integer(modelID), .int(number), .int(version), .text(kind.rawValue), .int(shareMillionths),
            try .json(stages), try .json(audience), .optional(pausedMicroseconds), .optional(endedMicroseconds),
            try guarding.map { (guarding) throws(StorageError) in try .json(guarding) } ?? .null,
            .integer(createdMicroseconds), .text(createdBy),
        ]
    }
}

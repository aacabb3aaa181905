import HearthCatalog
import HearthStorage

extension SQLSession {
    func rehearsalImages(model: Int64) throws -> [RehearsalImage] {
        try records("WHERE model = ? ORDER BY name", [.integer(model)])
    }

    func rehearsalImage(_ name: String, model: Int64) throws -> RehearsalImage? {
        try record(key: [.integer(model), .text(name)])
    }

    func rehearsalImageHashes() throws -> Set<String> {
        Set(try connection.texts("SELECT DISTINCT sha256 FROM rehearsal_image"))
    }

    func isRehearsalImage(sha256: String) throws -> Bool {
        try count("SELECT EXISTS (SELECT 1 FROM rehearsal_image WHERE sha256 = ?)", [.text(sha256)]) != 0
    }

    func models(withRehearsalImages least: Int) throws -> [Model] {
        try records(
            "WHERE id IN (SELECT model FROM rehearsal_image GROUP BY model HAVING count(*) >= ?) ORDER BY id",
            [.int(least)])
    }

    func put(_ image: RehearsalImage) throws { try putRow(image) }

    func delete(_ image: RehearsalImage) throws {
        try deleteRow(of: RehearsalImage.table, key: [.integer(image.modelID), .text(image.name)])
    }

    func rehearsals(model: Int64) throws -> [RehearsalRecord] {
        try connection.rows(
            """
            SELECT \(RehearsalRecord.table.list(without: .images)) FROM rehearsal WHERE model = ?
            ORDER BY created_us DESC, rowid DESC
            """, [.integer(model)], RehearsalRecord.init)
    }

    func rehearsal(
        candidate: String, baseline: String, imageSet: String, model: Int64
    ) throws -> RehearsalRecord? {
        try record(key: [.integer(model), .text(candidate), .text(baseline), .text(imageSet)])
    }

    func put(_ rehearsal: RehearsalRecord, keeping: Int) throws {
        // Not changed in place: a repeated rehearsal gets a new rowid.
        let table = RehearsalRecord.table
        try connection.run(table.deletion, table.key(of: rehearsal.values()))
        try insertRow(rehearsal)
        try connection.run(
            """
            DELETE FROM rehearsal WHERE model = ?1 AND rowid NOT IN (
                SELECT rowid FROM rehearsal WHERE model = ?1 ORDER BY created_us DESC, rowid DESC LIMIT ?2)
            """, [.integer(rehearsal.modelID), .int(keeping)])
    }
}

extension RehearsalImage: SQLRecord {
    static let table = SQLTable(
        "rehearsal_image", [.model, .name, .sha256, .size_bytes, .label, .created_us, .created_by],
        key: [.model, .name])

    init(_ row: SQLRow) throws(StorageError) {
        self.init(
            modelID: row.integer(.model), name: row.text(.name), sha256: row.text(.sha256),
            sizeBytes: try row.size(.size_bytes), label: row.optionalText(.label),
            createdMicroseconds: row.integer(.created_us), createdBy: row.text(.created_by))
    }

    func values() throws(StorageError) -> [SQLValue] {
        [
            .integer(modelID), .text(name), .text(sha256), try .size(sizeBytes), .optional(label),
            .integer(createdMicroseconds), .text(createdBy),
        ]
    }
}

extension RehearsalRecord: SQLRecord {
    static let table = SQLTable(
        "rehearsal",
        [
            .model, .candidate_sha256, .baseline_sha256, .image_set, .candidate_version, .baseline_version, .created_us,
            .created_by, .summary, .images,
        ], key: [.model, .candidate_sha256, .baseline_sha256, .image_set])

    init(_ row: SQLRow) {
        self.init(
            modelID: row.integer(.model), candidateSHA256: row.text(.candidate_sha256),
            baselineSHA256: row.text(.baseline_sha256), imageSet: row.text(.image_set),
            candidateVersion: row.int(.candidate_version), baselineVersion: row.optionalInt(.baseline_version),
            summaryJSON: row.text(.summary), imagesJSON: row.text(.images),
            createdMicroseconds: row.integer(.created_us), createdBy: row.text(.created_by))
    }

    func values() -> [SQLValue] {
        [
            .integer(modelID), .text(candidateSHA256), .text(baselineSHA256), .text(imageSet), .int(candidateVersion),
            .optional(baselineVersion), .integer(createdMicroseconds), .text(createdBy), .text(summaryJSON),
            .text(imagesJSON),
        ]
    }
}

/// Rehearsals without a result.
extension SQLSession {
    func openRehearsals(model: Int64) throws -> [OpenRehearsal] {
        try records("WHERE model = ? ORDER BY id, server", [.integer(model)])
    }

    func put(_ rehearsal: OpenRehearsal) throws {
        guard try count("SELECT count(*) FROM model WHERE id = ?", [.integer(rehearsal.modelID)]) == 1 else { return }
        try putRow(rehearsal)
    }

    func deleteOpenRehearsal(_ id: String, server: String) throws {
        try connection.run(OpenRehearsal.table.deletion, [.text(id), .text(server)])
    }

    func deleteOpenRehearsals(untouchedSinceMicroseconds microseconds: Int64) throws {
        try connection.run("DELETE FROM open_rehearsal WHERE touched_us < ?", [.integer(microseconds)])
    }
}

extension OpenRehearsal: SQLRecord {
    static let table = SQLTable(
        "open_rehearsal", [.id, .server, .model, .body, .touched_us], key: [.id, .server])

    init(_ row: SQLRow) {
        self.init(
            id: row.text(.id), server: row.text(.server), modelID: row.integer(.model), body: row.text(.body),
            touchedMicroseconds: row.integer(.touched_us))
    }

    func values() -> [SQLValue] {
        [.text(id), .text(server), .integer(modelID), .text(body), .integer(touchedMicroseconds)]
    }
}

import HearthCatalog
import HearthStorage

extension SQLSession {
    func rehearsalImages(model: Int64) throws -> [RehearsalImage] {
        try connection.rows(
            "SELECT \(Columns.rehearsalImage) FROM rehearsal_image WHERE model = ? ORDER BY name", [.integer(model)],
            Columns.rehearsalImage)
    }

    func rehearsalImage(_ name: String, model: Int64) throws -> RehearsalImage? {
        try connection.row(
            "SELECT \(Columns.rehearsalImage) FROM rehearsal_image WHERE model = ? AND name = ?",
            [.integer(model), .text(name)], Columns.rehearsalImage)
    }

    func rehearsalImageHashes() throws -> Set<String> {
        Set(
            try connection.texts("SELECT DISTINCT sha256 FROM rehearsal_image"))
    }

    func isRehearsalImage(sha256: String) throws -> Bool {
        try count("SELECT EXISTS (SELECT 1 FROM rehearsal_image WHERE sha256 = ?)", [.text(sha256)]) != 0
    }

    func models(withRehearsalImages least: Int) throws -> [Model] {
        try connection.rows(
            """
            SELECT \(Columns.model) FROM model
            WHERE id IN (SELECT model FROM rehearsal_image GROUP BY model HAVING count(*) >= ?) ORDER BY id
            """, [.integer(Int64(least))], Columns.model)
    }

    func put(_ image: RehearsalImage) throws {
        try replace(in: "rehearsal_image", key: "model, name", Columns.rehearsalImage, try Columns.values(of: image))
    }

    func delete(_ image: RehearsalImage) throws {
        try delete(
            from: "rehearsal_image", where: "model = ? AND name = ?", [.integer(image.modelID), .text(image.name)])
    }

    func rehearsals(model: Int64) throws -> [RehearsalRecord] {
        try connection.rows(
            """
            SELECT \(Columns.rehearsalFacts), '' FROM rehearsal WHERE model = ?
            ORDER BY created_us DESC, rowid DESC
            """, [.integer(model)], Columns.rehearsal)
    }

    func rehearsal(
        candidate: String, baseline: String, imageSet: String, model: Int64
    ) throws -> RehearsalRecord? {
        try connection.row(
            """
            SELECT \(Columns.rehearsal) FROM rehearsal
            WHERE model = ? AND candidate_sha256 = ? AND baseline_sha256 = ? AND image_set = ?
            """, [.integer(model), .text(candidate), .text(baseline), .text(imageSet)], Columns.rehearsal)
    }

    func put(_ rehearsal: RehearsalRecord, keeping: Int) throws {
        // Not changed in place: a repeated rehearsal gets a new rowid.
        try connection.run(
            """
            DELETE FROM rehearsal
            WHERE model = ? AND candidate_sha256 = ? AND baseline_sha256 = ? AND image_set = ?
            """,
            [
                .integer(rehearsal.modelID), .text(rehearsal.candidateSHA256), .text(rehearsal.baselineSHA256),
                .text(rehearsal.imageSet),
            ])
        try insert(into: "rehearsal", Columns.rehearsal, Columns.values(of: rehearsal))
        try connection.run(
            """
            DELETE FROM rehearsal WHERE model = ?1 AND rowid NOT IN (
                SELECT rowid FROM rehearsal WHERE model = ?1 ORDER BY created_us DESC, rowid DESC LIMIT ?2)
            """, [.integer(rehearsal.modelID), .integer(Int64(keeping))])
    }
}

extension Columns {
    static let rehearsalImage = "model, name, sha256, size_bytes, label, created_us, created_by"
    static let rehearsalFacts = """
        model, candidate_sha256, baseline_sha256, image_set, candidate_version, baseline_version, created_us, \
        created_by, summary
        """
    static let rehearsal = "\(rehearsalFacts), images"

    static func rehearsalImage(_ row: any SQLRow) throws(StorageError) -> RehearsalImage {
        RehearsalImage(
            modelID: row.integer(0), name: row.text(1), sha256: row.text(2), sizeBytes: try bytes(row, 3),
            label: row.optionalText(4), createdMicroseconds: row.integer(5), createdBy: row.text(6))
    }

    static func values(of image: RehearsalImage) throws(StorageError) -> [SQLValue] {
        [
            .integer(image.modelID), .text(image.name), .text(image.sha256),
            .integer(try StoredSize.integer(image.sizeBytes)), .optional(image.label),
            .integer(image.createdMicroseconds), .text(image.createdBy),
        ]
    }

    static func rehearsal(_ row: any SQLRow) throws(StorageError) -> RehearsalRecord {
        RehearsalRecord(
            modelID: row.integer(0), candidateSHA256: row.text(1), baselineSHA256: row.text(2), imageSet: row.text(3),
            candidateVersion: Int(row.integer(4)), baselineVersion: row.optionalInteger(5).map(Int.init),
            summaryJSON: row.text(8), imagesJSON: row.text(9), createdMicroseconds: row.integer(6),
            createdBy: row.text(7))
    }

    static func values(of rehearsal: RehearsalRecord) -> [SQLValue] {
        [
            .integer(rehearsal.modelID), .text(rehearsal.candidateSHA256), .text(rehearsal.baselineSHA256),
            .text(rehearsal.imageSet), .integer(Int64(rehearsal.candidateVersion)),
            .optional(rehearsal.baselineVersion), .integer(rehearsal.createdMicroseconds), .text(rehearsal.createdBy),
            .text(rehearsal.summaryJSON), .text(rehearsal.imagesJSON),
        ]
    }
}

/// Rehearsals without a result.
extension SQLSession {
    func openRehearsals(model: Int64) throws -> [OpenRehearsal] {
        try connection.rows(
            "SELECT \(Columns.openRehearsal) FROM open_rehearsal WHERE model = ? ORDER BY id, server", [.integer(model)]
        ) { (row) throws(StorageError) in
            OpenRehearsal(
                id: row.text(0), server: row.text(1), modelID: row.integer(2), body: row.text(3),
                touchedMicroseconds: row.integer(4))
        }
    }

    func put(_ rehearsal: OpenRehearsal) throws {
        guard try count("SELECT count(*) FROM model WHERE id = ?", [.integer(rehearsal.modelID)]) == 1 else { return }
        try replace(
            in: "open_rehearsal", key: "id, server", Columns.openRehearsal,
            [
                .text(rehearsal.id), .text(rehearsal.server), .integer(rehearsal.modelID), .text(rehearsal.body),
                .integer(rehearsal.touchedMicroseconds),
            ])
    }

    func deleteOpenRehearsal(_ id: String, server: String) throws {
        try connection.run("DELETE FROM open_rehearsal WHERE id = ? AND server = ?", [.text(id), .text(server)])
    }

    func deleteOpenRehearsals(untouchedSinceMicroseconds microseconds: Int64) throws {
        try connection.run("DELETE FROM open_rehearsal WHERE touched_us < ?", [.integer(microseconds)])
    }
}

extension Columns {
    static let openRehearsal = "id, server, model, body, touched_us"
}

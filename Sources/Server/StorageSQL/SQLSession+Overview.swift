import HearthCatalog
import HearthStorage

/// What the overview of a project and the search need. None of it takes longer with more installations.
extension SQLSession {
    func counts(project: String) throws -> ProjectCounts {
        let models = try connection.row(
            "SELECT count(*), coalesce(sum(is_published), 0) FROM model WHERE project = ?", [.text(project)]
        ) { (row) throws(StorageError) in (Int(row.integer(0)), Int(row.integer(1))) }
        return ProjectCounts(
            models: models?.0 ?? 0, publishedModels: models?.1 ?? 0,
            installations: try installationCount(project: project))
    }

    func modelNames(project: String) throws -> [ModelName] {
        try connection.rows("SELECT id, display_name, tags FROM model WHERE project = ? ORDER BY id", [.text(project)])
        {
            (row) throws(StorageError) in
            ModelName(
                id: row.integer(0), displayName: row.text(1), tags: row.text(2).split(separator: ",").map(String.init))
        }
    }

    func experimentNames(project: String) throws -> [String] {
        try connection.texts("SELECT name FROM experiment WHERE project = ? ORDER BY name", [.text(project)])
    }

    func experiments(project: String, endedSinceMicroseconds since: Int64) throws -> [ExperimentRecord] {
        try connection.rows(
            """
            SELECT \(Columns.experiment) FROM experiment WHERE project = ? AND is_running = 1
            UNION ALL SELECT \(Columns.experiment) FROM experiment WHERE project = ? AND ended_us >= ?
            ORDER BY is_running DESC, ended_us DESC, created_us DESC, name
            """, [.text(project), .text(project), .integer(since)], Columns.experiment)
    }

    func endedReleases(project: String, sinceMicroseconds since: Int64, limit: Int) throws -> [EndedRelease] {
        let columns = Columns.release.split(separator: ", ").map { "release.\($0)" }.joined(separator: ", ")
        // As the index names them.
        let actions = EndedRelease.actions.map { "'\($0)'" }.joined(separator: ", ")
        return try connection.rows(
            """
            SELECT \(columns), model.display_name, actor, action FROM audit
                \(connection.dialect.orderedJoin) model ON model.id = CAST(substr(subject, 8) AS BIGINT) AND model.project = audit.project
                \(connection.dialect.orderedJoin) release ON release.model = model.id AND release.ended_us = audit.at_us
            WHERE audit.project = ? AND at_us >= ? AND action IN (\(actions))
                AND (action != 'release.rollback' OR NOT EXISTS (
                    SELECT 1 FROM release AS restored WHERE restored.model = release.model
                        AND restored.created_us = audit.at_us AND restored.version = release.version))
            ORDER BY at_us DESC, release.number DESC LIMIT ?
            """, [.text(project), .integer(since), .integer(Int64(limit))]
        ) { (row) throws(StorageError) in
            EndedRelease(
                displayName: row.text(12), release: try Columns.release(row), actor: row.text(13), action: row.text(14))
        }
    }

    func failedVersions(project: String, limit: Int) throws -> [(version: HeldVersion, reason: String)] {
        try connection.rows(
            """
            SELECT \(Columns.heldVersion), verdict_message FROM model
                \(connection.dialect.orderedJoin) version ON version.model = model.id AND version.number = newest_version
                \(connection.dialect.orderedJoin) validation ON validation.sha256 = version.sha256
            WHERE project = ? AND (verdict = 'malformed'
                OR verdict = 'unsupported' AND substr(verdict_message, 1, ?) = ?
                    AND coalesce(released_version, 0) <> newest_version)
            ORDER BY version.created_us DESC, model.id LIMIT ?
            """,
            [
                .text(project), .integer(Int64(Verdict.crashText.unicodeScalars.count)), .text(Verdict.crashText),
                .integer(Int64(limit)),
            ]
        ) { (row) throws(StorageError) in (Columns.heldVersion(row), row.text(4)) }
    }

    func gatedVersions(project: String, limit: Int) throws -> [GatedVersion] {
        try connection.rows(
            """
            SELECT id, display_name, number, made_us, rehearsal_gate, newest FROM (
                SELECT model.id, display_name, version.number, version.created_us AS made_us, rehearsal_gate, (
                    SELECT summary FROM rehearsal
                    WHERE rehearsal.model = model.id AND candidate_sha256 = version.sha256
                    ORDER BY created_us DESC, rowid DESC LIMIT 1) AS newest
                FROM model \(connection.dialect.orderedJoin) version
                    ON version.model = model.id AND version.number = newest_version
                WHERE project = ? AND rehearsal_gate IS NOT NULL
                    AND coalesce(released_version, 0) <> newest_version) AS gated
            WHERE newest IS NOT NULL ORDER BY made_us DESC, id LIMIT ?
            """, [.text(project), .integer(Int64(limit))]
        ) { (row) throws(StorageError) in
            GatedVersion(version: Columns.heldVersion(row), gate: row.text(4), summaryJSON: row.text(5))
        }
    }

    func pendingFiles(project: String) throws -> [PendingFile] {
        try connection.rows(
            """
            SELECT \(Columns.heldVersion), validation.sha256, requested_us, verdict_message FROM validation
                \(connection.dialect.orderedJoin) version ON version.sha256 = validation.sha256
                \(connection.dialect.orderedJoin) model ON model.id = version.model
            WHERE verdict = 'pending' AND project = ?1
            UNION ALL SELECT NULL, NULL, NULL, NULL, validation.sha256, requested_us, verdict_message FROM validation
            WHERE verdict = 'pending'
                AND EXISTS (SELECT 1 FROM object WHERE object.sha256 = validation.sha256 AND project = ?1)
                AND NOT EXISTS (SELECT 1 FROM version JOIN model ON model.id = version.model
                    WHERE version.sha256 = validation.sha256 AND project = ?1)
            ORDER BY 6, 5, 1, 3
            """, [.text(project)]
        ) { (row) throws(StorageError) in
            PendingFile(
                sha256: row.text(4), requestedMicroseconds: row.integer(5),
                note: row.text(6).isEmpty ? nil : row.text(6),
                version: row.optionalInteger(0) == nil ? nil : Columns.heldVersion(row))
        }
    }
}

extension Columns {
    static let heldVersion = "model.id, model.display_name, version.number, version.created_us"

    static func heldVersion(_ row: any SQLRow) -> HeldVersion {
        HeldVersion(
            modelID: row.integer(0), displayName: row.text(1), version: Int(row.integer(2)),
            createdMicroseconds: row.integer(3))
    }
}

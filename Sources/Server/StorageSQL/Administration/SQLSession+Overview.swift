import HearthCatalog
import HearthStorage

/// What the overview of a project and the search need. None of it takes longer with more installations.
extension SQLSession {
    func counts(project: String) throws -> ProjectCounts {
        let models = try connection.row(
            "SELECT count(*) AS models, coalesce(sum(is_published), 0) AS published FROM model WHERE project = ?",
            [.text(project)]
        ) { row in (all: row.int(.models), published: row.int(.published)) }
        return ProjectCounts(
            models: models?.all ?? 0, publishedModels: models?.published ?? 0,
            installations: try installationCount(project: project))
    }

    func modelNames(project: String) throws -> [SearchableModel] {
        try connection.rows("SELECT id, display_name, tags FROM model WHERE project = ? ORDER BY id", [.text(project)])
        { row in SearchableModel(id: row.integer(.id), displayName: row.text(.display_name), tags: Model.tags(row)) }
    }

    func experimentNames(project: String) throws -> [String] {
        try connection.texts("SELECT name FROM experiment WHERE project = ? ORDER BY name", [.text(project)])
    }

    func experiments(project: String, endedSinceMicroseconds since: Int64) throws -> [ExperimentRecord] {
        try records(
            """
            WHERE project = ? AND is_running = 1
            UNION ALL SELECT \(ExperimentRecord.table.list) FROM experiment WHERE project = ? AND ended_us >= ?
            ORDER BY is_running DESC, ended_us DESC, created_us DESC, name
            """, [.text(project), .text(project), .integer(since)])
    }

    func endedReleases(project: String, sinceMicroseconds since: Int64, limit: Int) throws -> [EndedRelease] {
        // As the index names them.
        let actions = EndedRelease.actions.map { "'\($0)'" }.joined(separator: ", ")
        let join = connection.dialect.orderedJoin
        return try connection.rows(
            """
            SELECT \(Release.table.joinedList), model.display_name, actor, action FROM audit
                \(join) model ON model.id = CAST(substr(subject, 8) AS BIGINT) AND model.project = audit.project
                \(join) release ON release.model = model.id AND release.ended_us = audit.at_us
            WHERE audit.project = ? AND at_us >= ? AND action IN (\(actions))
                AND (action != 'release.rollback' OR NOT EXISTS (
                    SELECT 1 FROM release AS restored WHERE restored.model = release.model
                        AND restored.created_us = audit.at_us AND restored.version = release.version))
            ORDER BY at_us DESC, release.number DESC LIMIT ?
            """, [.text(project), .integer(since), .int(limit)]
        ) { (row) throws(StorageError) in
            EndedRelease(
                displayName: row.text(.display_name), release: try Release(row), actor: row.text(.actor),
                action: row.text(.action))
        }
    }

    func failedVersions(project: String, limit: Int) throws -> [(version: HeldVersion, reason: String)] {
        let join = connection.dialect.orderedJoin
        return try connection.rows(
            """
            SELECT \(HeldVersion.list), verdict_message FROM model
                \(join) version ON version.model = model.id AND version.number = newest_version
                \(join) validation ON validation.sha256 = version.sha256
            WHERE project = ? AND (verdict = 'malformed'
                OR verdict = 'unsupported' AND substr(verdict_message, 1, ?) = ?
                    AND coalesce(released_version, 0) <> newest_version)
            ORDER BY version.created_us DESC, model.id LIMIT ?
            """,
            [.text(project), .int(Verdict.crashText.unicodeScalars.count), .text(Verdict.crashText), .int(limit)]
        ) { row in (HeldVersion(row), row.text(.verdict_message)) }
    }

    func gatedVersions(project: String, limit: Int) throws -> [GatedVersion] {
        try connection.rows(
            """
            SELECT id, display_name, number, made_us AS created_us, rehearsal_gate, summary FROM (
                SELECT model.id, display_name, version.number, version.created_us AS made_us, rehearsal_gate, (
                    SELECT summary FROM rehearsal
                    WHERE rehearsal.model = model.id AND candidate_sha256 = version.sha256
                    ORDER BY created_us DESC, rowid DESC LIMIT 1) AS summary
                FROM model \(connection.dialect.orderedJoin) version
                    ON version.model = model.id AND version.number = newest_version
                WHERE project = ? AND rehearsal_gate IS NOT NULL
                    AND coalesce(released_version, 0) <> newest_version) AS gated
            WHERE summary IS NOT NULL ORDER BY made_us DESC, id LIMIT ?
            """, [.text(project), .int(limit)]
        ) { row in
            GatedVersion(version: HeldVersion(row), gate: row.text(.rehearsal_gate), summaryJSON: row.text(.summary))
        }
    }

    func pendingFiles(project: String) throws -> [PendingFile] {
        let join = connection.dialect.orderedJoin
        return try connection.rows(
            """
            SELECT \(HeldVersion.list), validation.sha256, requested_us, verdict_message FROM validation
                \(join) version ON version.sha256 = validation.sha256
                \(join) model ON model.id = version.model
            WHERE verdict = 'pending' AND project = ?1
            UNION ALL SELECT NULL, NULL, NULL, NULL, validation.sha256, requested_us, verdict_message FROM validation
            WHERE verdict = 'pending'
                AND EXISTS (SELECT 1 FROM object WHERE object.sha256 = validation.sha256 AND project = ?1)
                AND NOT EXISTS (SELECT 1 FROM version JOIN model ON model.id = version.model
                    WHERE version.sha256 = validation.sha256 AND project = ?1)
            ORDER BY requested_us, sha256, id, number
            """, [.text(project)]
        ) { row in
            let note = row.text(.verdict_message)
            return PendingFile(
                sha256: row.text(.sha256), requestedMicroseconds: row.integer(.requested_us),
                note: note.isEmpty ? nil : note, version: row.isNull(.id) ? nil : HeldVersion(row))
        }
    }
}

extension HeldVersion {
    fileprivate static let list = "model.id, model.display_name, version.number, version.created_us"

    fileprivate init(_ row: SQLRow) {
        self.init(
            modelID: row.integer(.id), displayName: row.text(.display_name), version: row.int(.number),
            createdMicroseconds: row.integer(.created_us))
    }
}

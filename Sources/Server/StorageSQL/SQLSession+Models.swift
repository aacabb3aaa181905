import HearthCatalog
import HearthStorage
import HearthWire

extension SQLSession {
    func model(id: Int64, project: String) throws -> Model? {
        try connection.row(
            "SELECT \(Columns.model) FROM model WHERE id = ? AND project = ?", [.integer(id), .text(project)],
            Columns.model)
    }

    func model(displayName: String, project: String) throws -> Model? {
        try connection.row(
            "SELECT \(Columns.model) FROM model WHERE project = ? AND display_name = ?",
            [.text(project), .text(displayName)], Columns.model)
    }

    func models(project: String, after: Int64, limit: Int) throws -> [Model] {
        try connection.rows(
            "SELECT \(Columns.model) FROM model WHERE project = ? AND id > ? ORDER BY id LIMIT ?",
            [.text(project), .integer(after), .integer(Int64(limit))], Columns.model)
    }

    func modelsToPublish(sha256: String) throws -> [Model] {
        try connection.rows(
            """
            SELECT \(Columns.model) FROM model
            WHERE EXISTS (SELECT 1 FROM version
                WHERE version.model = model.id AND version.number = publish_when_validated AND version.sha256 = ?)
            ORDER BY id
            """, [.text(sha256)], Columns.model)
    }

    func nextModelID() throws -> Int64 {
        try connection.run("UPDATE counter SET value = value + 1 WHERE name = 'model'")
        let value = try connection.integer("SELECT value FROM counter WHERE name = 'model'")
        guard let value else { throw StorageError(.corrupt, "The database has no counter for model ids") }
        return value
    }

    func insert(_ model: Model) throws {
        try insert(into: "model", Columns.model, Columns.values(of: model))
        changesServing = true
    }

    func update(_ model: Model) throws {
        try update("model", Columns.model, Columns.values(of: model), where: "id = ?", [.integer(model.id)])
        changesServing = true
    }

    func delete(_ model: Model) throws {
        try delete(from: "model", where: "id = ?", [.integer(model.id)])
        changesServing = true
    }

    func version(_ number: Int, model: Int64) throws -> ModelVersion? {
        try connection.row(
            "SELECT \(Columns.version) FROM version WHERE model = ? AND number = ?",
            [.integer(model), .integer(Int64(number))], Columns.version)
    }

    func versions(model: Int64) throws -> [ModelVersion] {
        try connection.rows(
            "SELECT \(Columns.version) FROM version WHERE model = ? ORDER BY number", [.integer(model)],
            Columns.version)
    }

    func insert(_ version: ModelVersion) throws {
        try insert(into: "version", Columns.version, try Columns.values(of: version))
        changesServing = true
    }

    func release(_ number: Int, model: Int64) throws -> Release? {
        try connection.row(
            "SELECT \(Columns.release) FROM release WHERE model = ? AND number = ?",
            [.integer(model), .integer(Int64(number))], Columns.release)
    }

    func releases(model: Int64) throws -> [Release] {
        try connection.rows(
            "SELECT \(Columns.release) FROM release WHERE model = ? ORDER BY number DESC", [.integer(model)],
            Columns.release)
    }

    func servedReleases() throws -> [ServedRelease] {
        let columns = Columns.release.split(separator: ", ").map { "release.\($0)" }.joined(separator: ", ")
        return try connection.rows(
            """
            SELECT \(columns), model.project, model.display_name, version.sha256, version.size_bytes
            FROM release JOIN model ON model.id = release.model
                JOIN version ON version.model = release.model AND version.number = release.version
            WHERE ended_us IS NULL ORDER BY release.model, release.number DESC
            """, [], Columns.servedRelease)
    }

    func insert(_ release: Release) throws {
        try insert(into: "release", Columns.release, try Columns.values(of: release))
        changesServing = true
    }

    func update(_ release: Release) throws {
        try update(
            "release", Columns.release, try Columns.values(of: release), where: "model = ? AND number = ?",
            [.integer(release.modelID), .integer(Int64(release.number))])
        changesServing = true
    }
}

extension Columns {
    static let model = """
        id, project, display_name, tags, newest_version, is_published, released_version, publish_when_validated, \
        contract_check, rehearsal_gate, rehearsal_check, revision, created_us, updated_us
        """
    static let version = "model, number, sha256, size_bytes, source_uri, created_us, created_by, note"
    static let release = """
        model, number, version, kind, share, stages, audience, paused_us, ended_us, guarding, created_us, created_by
        """

    /// Tags are joined by commas, because no tag contains one.
    static func model(_ row: any SQLRow) throws(StorageError) -> Model {
        Model(
            id: row.integer(0), projectID: row.text(1), displayName: row.text(2),
            tags: row.text(3).split(separator: ",").map(String.init),
            newestVersion: row.optionalInteger(4).map(Int.init), isPublished: row.integer(5) != 0,
            releasedVersion: row.optionalInteger(6).map(Int.init),
            publishWhenValidated: row.optionalInteger(7).map(Int.init),
            contractCheck: try known(row.text(8), Model.ContractCheck.self), rehearsalGate: row.optionalText(9),
            rehearsalCheck: try known(row.text(10), Model.RehearsalCheck.self), revision: row.integer(11),
            createdMicroseconds: row.integer(12), updatedMicroseconds: row.integer(13))
    }

    static func values(of model: Model) -> [SQLValue] {
        [
            .integer(model.id), .text(model.projectID), .text(model.displayName),
            .text(model.tags.joined(separator: ",")), .optional(model.newestVersion),
            .integer(model.isPublished ? 1 : 0), .optional(model.releasedVersion),
            .optional(model.publishWhenValidated), .text(model.contractCheck.rawValue),
            .optional(model.rehearsalGate), .text(model.rehearsalCheck.rawValue),
            .integer(model.revision),
            .integer(model.createdMicroseconds), .integer(model.updatedMicroseconds),
        ]
    }

    static func version(_ row: any SQLRow) throws(StorageError) -> ModelVersion {
        ModelVersion(
            modelID: row.integer(0), number: Int(row.integer(1)), sha256: row.text(2), sizeBytes: try bytes(row, 3),
            sourceURI: row.text(4), createdMicroseconds: row.integer(5), createdBy: row.text(6),
            note: row.optionalText(7))
    }

    static func values(of version: ModelVersion) throws(StorageError) -> [SQLValue] {
        [
            .integer(version.modelID), .integer(Int64(version.number)), .text(version.sha256),
            .integer(try StoredSize.integer(version.sizeBytes)), .text(version.sourceURI),
            .integer(version.createdMicroseconds), .text(version.createdBy), .optional(version.note),
        ]
    }

    static func release(_ row: any SQLRow) throws(StorageError) -> Release {
        Release(
            modelID: row.integer(0), number: Int(row.integer(1)), version: Int(row.integer(2)),
            kind: try known(row.text(3), Release.Kind.self), shareMillionths: Int(row.integer(4)),
            stages: try decode([Release.Stage].self, row.text(5)), audience: try decode(Audience.self, row.text(6)),
            pausedMicroseconds: row.optionalInteger(7), endedMicroseconds: row.optionalInteger(8),
            guarding: try row.optionalText(9).map { text throws(StorageError) in
                try decode(ReleaseGuarding.self, text)
            }, createdMicroseconds: row.integer(10), createdBy: row.text(11))
    }

    static func values(of release: Release) throws(StorageError) -> [SQLValue] {
        [
            .integer(release.modelID), .integer(Int64(release.number)), .integer(Int64(release.version)),
            .text(release.kind.rawValue), .integer(Int64(release.shareMillionths)), try json(release.stages),
            try json(release.audience), .optional(release.pausedMicroseconds), .optional(release.endedMicroseconds),
            try release.guarding.map { guarding throws(StorageError) in try json(guarding) } ?? .null,
            .integer(release.createdMicroseconds), .text(release.createdBy),
        ]
    }

    static func servedRelease(_ row: any SQLRow) throws(StorageError) -> ServedRelease {
        ServedRelease(
            projectID: row.text(12), displayName: row.text(13), release: try release(row), sha256: row.text(14),
            sizeBytes: try bytes(row, 15))
    }
}

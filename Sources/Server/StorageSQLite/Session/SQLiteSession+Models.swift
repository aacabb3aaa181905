import HearthCatalog
import HearthStorage

extension SQLiteSession {
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
        let value = try connection.row("SELECT value FROM counter WHERE name = 'model'") {
            (row) throws(StorageError) in row.integer(0)
        }
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

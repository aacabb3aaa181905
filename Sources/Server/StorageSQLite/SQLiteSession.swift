import HearthCatalog
import HearthStorage

/// The look-ups and changes of one transaction, as SQL.
struct SQLiteSession: MetadataWriter {
    private let connection: SQLiteConnection

    init(_ connection: SQLiteConnection) { self.connection = connection }

    func projects() throws -> [Project] {
        try connection.rows("SELECT \(Columns.project) FROM project ORDER BY id", [], Columns.project)
    }

    func project(id: String) throws -> Project? {
        try connection.row("SELECT \(Columns.project) FROM project WHERE id = ?", [.text(id)], Columns.project)
    }

    func serviceAccount(email: String) throws -> ServiceAccount? {
        try connection.row(
            "SELECT \(Columns.account) FROM service_account WHERE email = ?", [.text(email)], Columns.account)
    }

    func serviceAccount(clientID: String) throws -> ServiceAccount? {
        try connection.row(
            "SELECT \(Columns.account) FROM service_account WHERE client_id = ?", [.text(clientID)], Columns.account)
    }

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

    func object(bucket: String, name: String, project: String) throws -> UploadedObject? {
        try connection.row(
            "SELECT \(Columns.object) FROM object WHERE project = ? AND bucket = ? AND name = ?",
            [.text(project), .text(bucket), .text(name)], Columns.object)
    }

    func audit(project: String, limit: Int) throws -> [AuditEntry] {
        try connection.rows(
            "SELECT \(Columns.audit) FROM audit WHERE project = ? ORDER BY id DESC LIMIT ?",
            [.text(project), .integer(Int64(limit))], Columns.audit)
    }

    func insert(_ project: Project) throws {
        try connection.run(
            "INSERT INTO project (\(Columns.project)) VALUES (?, ?, ?, ?, ?)",
            [
                .text(project.id), .integer(project.number), .text(project.apiKeyHash), .text(project.appID),
                .integer(project.createdMicroseconds),
            ])
    }

    func insert(_ account: ServiceAccount) throws {
        try connection.run(
            "INSERT INTO service_account (\(Columns.account)) VALUES (?, ?, ?, ?, ?, ?)",
            [
                .text(account.email), .text(account.projectID), .text(account.clientID), .text(account.keyID),
                .text(account.publicKeyPEM), .text(account.clientSecretHash),
            ])
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
        try connection.run(
            "INSERT INTO model (\(Columns.model)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", Columns.values(of: model))
    }

    func update(_ model: Model) throws {
        let changed = try connection.run(
            """
            UPDATE model SET (\(Columns.model)) = (?, ?, ?, ?, ?, ?, ?, ?, ?) WHERE id = ?
            """, Columns.values(of: model) + [.integer(model.id)])
        guard changed == 1 else { throw StorageError(.notFound, "There is no model \(model.id)") }
    }

    func delete(_ model: Model) throws {
        let changed = try connection.run("DELETE FROM model WHERE id = ?", [.integer(model.id)])
        guard changed == 1 else { throw StorageError(.notFound, "There is no model \(model.id)") }
    }

    func insert(_ version: ModelVersion) throws {
        try connection.run(
            "INSERT INTO version (\(Columns.version)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                .integer(version.modelID), .integer(Int64(version.number)), .text(version.sha256),
                .integer(try StoredSize.integer(version.sizeBytes)), .text(version.sourceURI),
                .text(Columns.name(of: version.verdict)), .text(Columns.message(of: version.verdict)),
                .optional(version.contractJSON), .integer(version.createdMicroseconds), .text(version.createdBy),
            ])
    }

    func put(_ object: UploadedObject) throws {
        try connection.run(
            "INSERT OR REPLACE INTO object (\(Columns.object)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                .text(object.projectID), .text(object.bucket), .text(object.name), .text(object.sha256),
                .integer(try StoredSize.integer(object.sizeBytes)), .text(Columns.name(of: object.verdict)),
                .text(Columns.message(of: object.verdict)), .optional(object.contractJSON),
                .integer(object.createdMicroseconds),
            ])
    }

    func append(_ entry: AuditEntry) throws {
        try connection.run(
            "INSERT INTO audit (\(Columns.audit)) VALUES (?, ?, ?, ?, ?, ?)",
            [
                .text(entry.projectID), .text(entry.actor), .text(entry.action), .text(entry.subject),
                .text(entry.detail), .integer(entry.atMicroseconds),
            ])
    }
}

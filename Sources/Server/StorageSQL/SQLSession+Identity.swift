import HearthCatalog
import HearthStorage

extension SQLSession {
    func projects() throws -> [Project] {
        try connection.rows("SELECT \(Columns.project) FROM project ORDER BY id", [], Columns.project)
    }

    func project(id: String) throws -> Project? {
        try connection.row("SELECT \(Columns.project) FROM project WHERE id = ?", [.text(id)], Columns.project)
    }

    func insert(_ project: Project) throws {
        try insert(into: "project", Columns.project, Columns.values(of: project))
        changesServing = true
    }

    func delete(_ project: Project) throws {
        let id = [SQLValue.text(project.id)]
        try connection.run(
            "DELETE FROM account_key WHERE email IN (SELECT email FROM account WHERE project = ?)", id)
        for table in [
            "account", "api_key", "admin_token", "installation", "object", "upload_session", "config_template",
            "pin", "experiment", "event_journal", "event_day",
        ] {
            try connection.run("DELETE FROM \(table) WHERE project = ?", id)
        }
        // A model that still exists prevents the removal of the project, because it refers to it.
        try delete(from: "project", where: "id = ?", id)
        installationChanges[project.id] = nil
        changesServing = true
    }

    func serviceAccount(email: String) throws -> ServiceAccount? {
        try connection.row("SELECT \(Columns.account) FROM account WHERE email = ?", [.text(email)], Columns.account)
    }

    func serviceAccounts() throws -> [ServiceAccount] {
        try connection.rows("SELECT \(Columns.account) FROM account ORDER BY email", [], Columns.account)
    }

    func insert(_ account: ServiceAccount) throws {
        try insert(into: "account", Columns.account, Columns.values(of: account))
        changesServing = true
    }

    func update(_ account: ServiceAccount) throws {
        try update(
            "account", Columns.account, Columns.values(of: account), where: "email = ?", [.text(account.email)])
        changesServing = true
    }

    func accountKeys() throws -> [AccountKey] {
        try connection.rows(
            "SELECT \(Columns.accountKey) FROM account_key ORDER BY created_us, id", [], Columns.accountKey)
    }

    func insert(_ key: AccountKey) throws {
        try insert(into: "account_key", Columns.accountKey, Columns.values(of: key))
        changesServing = true
    }

    func update(_ key: AccountKey) throws {
        try update("account_key", Columns.accountKey, Columns.values(of: key), where: "id = ?", [.text(key.id)])
        changesServing = true
    }

    func apiKey(id: String, project: String) throws -> APIKey? {
        try connection.row(
            "SELECT \(Columns.apiKey) FROM api_key WHERE id = ? AND project = ?", [.text(id), .text(project)],
            Columns.apiKey)
    }

    func apiKeys() throws -> [APIKey] {
        try connection.rows("SELECT \(Columns.apiKey) FROM api_key ORDER BY created_us, id", [], Columns.apiKey)
    }

    func insert(_ key: APIKey) throws {
        try insert(into: "api_key", Columns.apiKey, try Columns.values(of: key))
        changesServing = true
    }

    func update(_ key: APIKey) throws {
        try update("api_key", Columns.apiKey, try Columns.values(of: key), where: "id = ?", [.text(key.id)])
        changesServing = true
    }

    func adminToken(id: String) throws -> AdminToken? {
        try connection.row(
            "SELECT \(Columns.adminToken) FROM admin_token WHERE id = ?", [.text(id)], Columns.adminToken)
    }

    func adminTokens() throws -> [AdminToken] {
        try connection.rows(
            "SELECT \(Columns.adminToken) FROM admin_token ORDER BY created_us, id", [], Columns.adminToken)
    }

    func insert(_ token: AdminToken) throws {
        try insert(into: "admin_token", Columns.adminToken, Columns.values(of: token))
        changesServing = true
    }

    func update(_ token: AdminToken) throws {
        try update("admin_token", Columns.adminToken, Columns.values(of: token), where: "id = ?", [.text(token.id)])
        changesServing = true
    }

    func installation(fid: String, project: String) throws -> Installation? {
        try connection.row(
            "SELECT \(Columns.installation) FROM installation WHERE project = ? AND fid = ?",
            [.text(project), .text(fid)], Columns.installation)
    }

    func installationCount(project: String) throws -> Int {
        Int(try count(connection.dialect.installationCount, [.text(project)]))
    }

    func insert(_ installation: Installation) throws {
        try insert(into: "installation", Columns.installation, Columns.values(of: installation))
        installationChanges[installation.projectID, default: 0] += 1
    }

    func delete(_ installation: Installation) throws {
        try delete(
            from: "installation", where: "project = ? AND fid = ?",
            [.text(installation.projectID), .text(installation.fid)])
        installationChanges[installation.projectID, default: 0] -= 1
        try deletePins(of: installation)
    }

    func signingKeys() throws -> [SigningKey] {
        try connection.rows(
            "SELECT \(Columns.signingKey) FROM signing_key ORDER BY number", [], Columns.signingKey)
    }

    func insert(_ key: SigningKey) throws {
        try insert(into: "signing_key", Columns.signingKey, Columns.values(of: key))
        changesServing = true
    }

    func update(_ key: SigningKey) throws {
        try update(
            "signing_key", Columns.signingKey, Columns.values(of: key), where: "number = ?",
            [.integer(Int64(key.number))])
        changesServing = true
    }

    func clockMark() throws -> ClockCheckpoint? {
        let passed = try clock(Self.passedClock)
        let signed = try clock(Self.signedClock)
        guard let passed, let signed else { return nil }
        return ClockCheckpoint(passedMicroseconds: passed, signedMicroseconds: signed)
    }

    private func clock(_ name: String) throws -> Int64? {
        try connection.integer("SELECT value FROM counter WHERE name = ?", [.text(name)])
    }

    func put(_ mark: ClockCheckpoint) throws {
        for (name, value) in [
            (Self.passedClock, mark.passedMicroseconds), (Self.signedClock, mark.signedMicroseconds),
        ] {
            try replace(in: "counter", key: "name", "name, value", [.text(name), .integer(value)])
        }
    }

    private static let passedClock = "clock_passed_us"
    private static let signedClock = "clock_signed_us"
}

extension Columns {
    static let project = "id, number, created_us"
    static let account = "email, project, role, is_operator, created_us"
    static let accountKey = "id, email, client_id, public_key_pem, client_secret_hash, created_us, ends_us, has_ended"
    static let apiKey = "id, project, name, app_id, bundle_ids, secret_hash, created_us, ends_us, has_ended"
    static let adminToken = "id, project, name, role, secret_hash, created_us, created_by, ends_us, has_ended"
    static let signingKey = "number, secret, installation_hash_key, created_us, retired_us"
    static let installation = "project, fid, app_id, created_us"

    static func project(_ row: any SQLRow) throws(StorageError) -> Project {
        Project(id: row.text(0), number: row.integer(1), createdMicroseconds: row.integer(2))
    }

    static func values(of project: Project) -> [SQLValue] {
        [.text(project.id), .integer(project.number), .integer(project.createdMicroseconds)]
    }

    static func account(_ row: any SQLRow) throws(StorageError) -> ServiceAccount {
        ServiceAccount(
            email: row.text(0), projectID: row.text(1), role: try known(row.text(2), Role.self),
            isOperator: row.integer(3) != 0, createdMicroseconds: row.integer(4))
    }

    static func values(of account: ServiceAccount) -> [SQLValue] {
        [
            .text(account.email), .text(account.projectID), .text(account.role.rawValue),
            .integer(account.isOperator ? 1 : 0), .integer(account.createdMicroseconds),
        ]
    }

    static func accountKey(_ row: any SQLRow) throws(StorageError) -> AccountKey {
        AccountKey(
            id: row.text(0), email: row.text(1), clientID: row.text(2), publicKeyPEM: row.text(3),
            clientSecretHash: row.text(4), createdMicroseconds: row.integer(5),
            endsMicroseconds: row.optionalInteger(6),
            hasEnded: row.integer(7) != 0)
    }

    static func values(of key: AccountKey) -> [SQLValue] {
        [
            .text(key.id), .text(key.email), .text(key.clientID), .text(key.publicKeyPEM), .text(key.clientSecretHash),
            .integer(key.createdMicroseconds), .optional(key.endsMicroseconds), .integer(key.hasEnded ? 1 : 0),
        ]
    }

    static func apiKey(_ row: any SQLRow) throws(StorageError) -> APIKey {
        APIKey(
            id: row.text(0), projectID: row.text(1), name: row.text(2), appID: row.text(3),
            bundleIDs: try decode([String].self, row.text(4)), secretHash: row.text(5),
            createdMicroseconds: row.integer(6), endsMicroseconds: row.optionalInteger(7), hasEnded: row.integer(8) != 0
        )
    }

    static func values(of key: APIKey) throws(StorageError) -> [SQLValue] {
        [
            .text(key.id), .text(key.projectID), .text(key.name), .text(key.appID), try json(key.bundleIDs),
            .text(key.secretHash), .integer(key.createdMicroseconds), .optional(key.endsMicroseconds),
            .integer(key.hasEnded ? 1 : 0),
        ]
    }

    static func adminToken(_ row: any SQLRow) throws(StorageError) -> AdminToken {
        AdminToken(
            id: row.text(0), projectID: row.optionalText(1), name: row.text(2), role: try known(row.text(3), Role.self),
            secretHash: row.text(4), createdMicroseconds: row.integer(5), createdBy: row.text(6),
            endsMicroseconds: row.optionalInteger(7), hasEnded: row.integer(8) != 0)
    }

    static func values(of token: AdminToken) -> [SQLValue] {
        [
            .text(token.id), .optional(token.projectID), .text(token.name), .text(token.role.rawValue),
            .text(token.secretHash), .integer(token.createdMicroseconds), .text(token.createdBy),
            .optional(token.endsMicroseconds), .integer(token.hasEnded ? 1 : 0),
        ]
    }

    static func signingKey(_ row: any SQLRow) throws(StorageError) -> SigningKey {
        SigningKey(
            number: Int(row.integer(0)), secret: row.bytes(1), installationHashKey: row.bytes(2),
            createdMicroseconds: row.integer(3), retiredMicroseconds: row.optionalInteger(4))
    }

    static func values(of key: SigningKey) -> [SQLValue] {
        [
            .integer(Int64(key.number)), .bytes(key.secret), .bytes(key.installationHashKey),
            .integer(key.createdMicroseconds), .optional(key.retiredMicroseconds),
        ]
    }

    static func installation(_ row: any SQLRow) throws(StorageError) -> Installation {
        Installation(
            projectID: row.text(0), fid: row.text(1), appID: row.text(2), createdMicroseconds: row.integer(3))
    }

    static func values(of installation: Installation) -> [SQLValue] {
        [
            .text(installation.projectID), .text(installation.fid), .text(installation.appID),
            .integer(installation.createdMicroseconds),
        ]
    }
}

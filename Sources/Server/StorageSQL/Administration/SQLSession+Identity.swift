import HearthCatalog
import HearthStorage

extension SQLSession {
    func projects() throws -> [Project] { try records("ORDER BY id") }

    func project(id: String) throws -> Project? { try record(key: [.text(id)]) }

    func insert(_ project: Project) throws { try insertRow(project, isServed: true) }

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
        try deleteRow(of: Project.table, key: id)
        installationChanges[project.id] = nil
        changesServing = true
    }

    func serviceAccount(email: String) throws -> ServiceAccount? { try record(key: [.text(email)]) }

    func serviceAccounts() throws -> [ServiceAccount] { try records("ORDER BY email") }

    func insert(_ account: ServiceAccount) throws { try insertRow(account, isServed: true) }

    func update(_ account: ServiceAccount) throws { try updateRow(account, isServed: true) }

    func accountKeys() throws -> [AccountKey] { try records("ORDER BY created_us, id") }

    func insert(_ key: AccountKey) throws { try insertRow(key, isServed: true) }

    func update(_ key: AccountKey) throws { try updateRow(key, isServed: true) }

    func apiKey(id: String, project: String) throws -> APIKey? {
        try record("WHERE id = ? AND project = ?", [.text(id), .text(project)])
    }

    func apiKeys() throws -> [APIKey] { try records("ORDER BY created_us, id") }

    func insert(_ key: APIKey) throws { try insertRow(key, isServed: true) }

    func update(_ key: APIKey) throws { try updateRow(key, isServed: true) }

    func adminToken(id: String) throws -> AdminToken? { try record(key: [.text(id)]) }

    func adminTokens() throws -> [AdminToken] { try records("ORDER BY created_us, id") }

    func insert(_ token: AdminToken) throws { try insertRow(token, isServed: true) }

    func update(_ token: AdminToken) throws { try updateRow(token, isServed: true) }

    func installation(fid: String, project: String) throws -> Installation? {
        try record(key: [.text(project), .text(fid)])
    }

    func installationCount(project: String) throws -> Int {
        Int(try count(connection.dialect.installationCount, [.text(project)]))
    }

    func insert(_ installation: Installation) throws {
        try insertRow(installation)
        installationChanges[installation.projectID, default: 0] += 1
    }

    func delete(_ installation: Installation) throws {
        try deleteRow(of: Installation.table, key: [.text(installation.projectID), .text(installation.fid)])
        installationChanges[installation.projectID, default: 0] -= 1
        try deletePins(of: installation)
    }

    func signingKeys() throws -> [SigningKey] { try records("ORDER BY number") }

    func insert(_ key: SigningKey) throws { try insertRow(key, isServed: true) }

    func update(_ key: SigningKey) throws { try updateRow(key, isServed: true) }

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
            try connection.run(Self.counter.replacement, [.text(name), .integer(value)])
        }
    }

    private static let counter = SQLTable("counter", [.name, .value], key: [.name])
    private static let passedClock = "clock_passed_us"
    private static let signedClock = "clock_signed_us"
}

extension Project: SQLRecord {
    static let table = SQLTable("project", [.id, .number, .created_us], key: [.id])

    init(_ row: SQLRow) {
        self.init(
            id: row.text(.id), number: row.integer(.number), createdMicroseconds: row.integer(.created_us))
    }

    func values() -> [SQLValue] { [.text(id), .integer(number), .integer(createdMicroseconds)] }
}

extension ServiceAccount: SQLRecord {
    static let table = SQLTable("account", [.email, .project, .role, .is_operator, .created_us], key: [.email])

    init(_ row: SQLRow) throws(StorageError) {
        self.init(
            email: row.text(.email), projectID: row.text(.project), role: try row.known(.role),
            isOperator: row.bool(.is_operator), createdMicroseconds: row.integer(.created_us))
    }

    func values() -> [SQLValue] {
        [.text(email), .text(projectID), .text(role.rawValue), .bool(isOperator), .integer(createdMicroseconds)]
    }
}

extension AccountKey: SQLRecord {
    static let table = SQLTable(
        "account_key",
        [.id, .email, .client_id, .public_key_pem, .client_secret_hash, .created_us, .ends_us, .has_ended], key: [.id])

    init(_ row: SQLRow) {
        self.init(
            id: row.text(.id), email: row.text(.email), clientID: row.text(.client_id),
            publicKeyPEM: row.text(.public_key_pem), clientSecretHash: row.text(.client_secret_hash),
            createdMicroseconds: row.integer(.created_us), endsMicroseconds: row.optionalInteger(.ends_us),
            hasEnded: row.bool(.has_ended))
    }

    func values() -> [SQLValue] {
        [
            .text(id), .text(email), .text(clientID), .text(publicKeyPEM), .text(clientSecretHash),
            .integer(createdMicroseconds), .optional(endsMicroseconds), .bool(hasEnded),
        ]
    }
}

extension APIKey: SQLRecord {
    static let table = SQLTable(
        "api_key",
        [.id, .project, .name, .app_id, .bundle_ids, .secret_hash, .created_us, .ends_us, .has_ended], key: [.id])

    init(_ row: SQLRow) throws(StorageError) {
        self.init(
            id: row.text(.id), projectID: row.text(.project), name: row.text(.name), appID: row.text(.app_id),
            bundleIDs: try row.json(.bundle_ids), secretHash: row.text(.secret_hash),
            createdMicroseconds: row.integer(.created_us), endsMicroseconds: row.optionalInteger(.ends_us),
            hasEnded: row.bool(.has_ended))
    }

    func values() throws(StorageError) -> [SQLValue] {
        [
            .text(id), .text(projectID), .text(name), .text(appID), try .json(bundleIDs), .text(secretHash),
            .integer(createdMicroseconds), .optional(endsMicroseconds), .bool(hasEnded),
        ]
    }
}

extension AdminToken: SQLRecord {
    static let table = SQLTable(
        "admin_token",
        [.id, .project, .name, .role, .secret_hash, .created_us, .created_by, .ends_us, .has_ended], key: [.id])

    init(_ row: SQLRow) throws(StorageError) {
        self.init(
            id: row.text(.id), projectID: row.optionalText(.project), name: row.text(.name),
            role: try row.known(.role), secretHash: row.text(.secret_hash),
            createdMicroseconds: row.integer(.created_us), createdBy: row.text(.created_by),
            endsMicroseconds: row.optionalInteger(.ends_us), hasEnded: row.bool(.has_ended))
    }

    func values() -> [SQLValue] {
        [
            .text(id), .optional(projectID), .text(name), .text(role.rawValue), .text(secretHash),
            .integer(createdMicroseconds), .text(createdBy), .optional(endsMicroseconds), .bool(hasEnded),
        ]
    }
}

extension SigningKey: SQLRecord {
    static let table = SQLTable(
        "signing_key", [.number, .secret, .installation_hash_key, .created_us, .retired_us], key: [.number])

    init(_ row: SQLRow) {
        self.init(
            number: row.int(.number), secret: row.bytes(.secret),
            installationHashKey: row.bytes(.installation_hash_key), createdMicroseconds: row.integer(.created_us),
            retiredMicroseconds: row.optionalInteger(.retired_us))
    }

    func values() -> [SQLValue] {
        [
            .int(number), .bytes(secret), .bytes(installationHashKey), .integer(createdMicroseconds),
            .optional(retiredMicroseconds),
        ]
    }
}

extension Installation: SQLRecord {
    static let table = SQLTable("installation", [.project, .fid, .app_id, .created_us], key: [.project, .fid])

    init(_ row: SQLRow) {
        self.init(
            projectID: row.text(.project), fid: row.text(.fid), appID: row.text(.app_id),
            createdMicroseconds: row.integer(.created_us))
    }

    func values() -> [SQLValue] { [.text(projectID), .text(fid), .text(appID), .integer(createdMicroseconds)] }
}

import HearthCatalog
import HearthStorage

/// Who is signed in to the console. Devices never see it, so serving snapshots do not contain it.
extension SQLSession {
    func consoleSession(id: String) throws -> ConsoleSession? { try record(key: [.text(id)]) }

    func consoleSessions() throws -> [ConsoleSession] { try records("ORDER BY created_us DESC, id") }

    func insert(_ session: ConsoleSession) throws { try insertRow(session) }

    func setUsed(_ session: ConsoleSession, atMicroseconds: Int64) throws {
        try changeOne(
            ConsoleSession.table, "UPDATE console_session SET used_us = ? WHERE id = ?",
            [.integer(atMicroseconds), .text(session.id)])
    }

    func delete(_ session: ConsoleSession) throws {
        try deleteRow(of: ConsoleSession.table, key: [.text(session.id)])
    }

    func consoleValue(_ name: String, session: String) throws -> ConsoleValue? {
        try record(key: [.text(session), .text(name)])
    }

    func put(_ value: ConsoleValue) throws { try putRow(value) }

    func deleteConsoleValue(_ name: String, session: String) throws -> Bool {
        try connection.run(ConsoleValue.table.deletion, [.text(session), .text(name)]) == 1
    }

    func trimConsoleValues(
        beginningWith prefix: String, session: String, mostOfSession: Int, mostCharacters: Int?
    ) throws {
        let own = try connection.texts(
            """
            SELECT name FROM console_value WHERE session = ? AND substr(name, 1, length(?)) = ?
            ORDER BY used_us DESC, name
            """, [.text(session), .text(prefix), .text(prefix)])
        for name in own.dropFirst(mostOfSession) { _ = try deleteConsoleValue(name, session: session) }
        guard let mostCharacters else { return }
        let all = try connection.rows(
            """
            SELECT session, name, length(value) AS length FROM console_value WHERE substr(name, 1, length(?)) = ?
            ORDER BY used_us DESC, session, name
            """, [.text(prefix), .text(prefix)]
        ) { row in (session: row.text(.session), name: row.text(.name), length: row.int(.length)) }
        var characters = 0
        for each in all {
            characters += each.length
            if characters > mostCharacters { _ = try deleteConsoleValue(each.name, session: each.session) }
        }
    }

    func insert(_ code: SignInCode) throws { try insertRow(code) }

    func signInCode(secretHash: String) throws -> SignInCode? { try record(key: [.text(secretHash)]) }

    func takeSignInCode(secretHash: String) throws -> SignInCode? {
        let table = SignInCode.table
        return try connection.row("\(table.deletion) RETURNING \(table.list)", [.text(secretHash)], SignInCode.init)
    }

    func sharedLink(id: String) throws -> SharedLink? { try record(key: [.text(id)]) }

    func sharedLinks(project: String) throws -> [SharedLink] {
        try records("WHERE project = ? ORDER BY created_us DESC, id", [.text(project)])
    }

    func sharedLinks(madeBy actor: String) throws -> [SharedLink] {
        try records("WHERE created_by = ? ORDER BY created_us DESC, id", [.text(actor)])
    }

    func insert(_ link: SharedLink) throws { try insertRow(link) }

    func delete(_ link: SharedLink) throws { try deleteRow(of: SharedLink.table, key: [.text(link.id)]) }

    func deleteEndedConsoleAccess(
        nowMicroseconds now: Int64, unusedSinceMicroseconds unused: Int64, knownMicroseconds known: Int64
    ) throws -> Int {
        try connection.run(
            "DELETE FROM console_session WHERE ends_us <= ? OR used_us <= ?",
            [.integer(now - known), .integer(unused - known)])
            + connection.run("DELETE FROM sign_in_code WHERE ends_us <= ?", [.integer(now)])
            + connection.run("DELETE FROM shared_link WHERE ends_us <= ?", [.integer(now)])
    }
}

extension ConsoleSession: SQLRecord {
    static let table = SQLTable(
        "console_session",
        [
            .id, .secret_hash, .account_key, .admin_token, .is_read_only, .created_us, .used_us, .ends_us, .address,
            .browser,
        ], key: [.id])

    init(_ row: SQLRow) throws(StorageError) {
        self.init(
            id: row.text(.id), secretHash: row.text(.secret_hash), credential: try Credential(row),
            createdMicroseconds: row.integer(.created_us), usedMicroseconds: row.integer(.used_us),
            endsMicroseconds: row.integer(.ends_us), address: row.text(.address), browser: row.text(.browser))
    }

    func values() -> [SQLValue] {
        [.text(id), .text(secretHash)] + credential.values() + [
            .integer(createdMicroseconds), .integer(usedMicroseconds), .integer(endsMicroseconds), .text(address),
            .text(browser),
        ]
    }
}

extension ConsoleValue: SQLRecord {
    static let table = SQLTable("console_value", [.session, .name, .value, .used_us], key: [.session, .name])

    init(_ row: SQLRow) {
        self.init(
            sessionID: row.text(.session), name: row.text(.name), value: row.text(.value),
            usedMicroseconds: row.integer(.used_us))
    }

    func values() -> [SQLValue] { [.text(sessionID), .text(name), .text(value), .integer(usedMicroseconds)] }
}

extension SignInCode: SQLRecord {
    static let table = SQLTable(
        "sign_in_code", [.secret_hash, .account_key, .admin_token, .is_read_only, .ends_us], key: [.secret_hash])

    init(_ row: SQLRow) throws(StorageError) {
        self.init(
            secretHash: row.text(.secret_hash), credential: try Credential(row),
            endsMicroseconds: row.integer(.ends_us))
    }

    func values() -> [SQLValue] { [.text(secretHash)] + credential.values() + [.integer(endsMicroseconds)] }
}

extension SharedLink: SQLRecord {
    static let table = SQLTable(
        "shared_link",
        [.id, .secret_hash, .project, .model, .release, .experiment, .created_by, .created_us, .ends_us], key: [.id])

    init(_ row: SQLRow) throws(StorageError) {
        self.init(
            id: row.text(.id), secretHash: row.text(.secret_hash), projectID: row.text(.project),
            page: try SharedPage(row), createdBy: row.text(.created_by),
            createdMicroseconds: row.integer(.created_us), endsMicroseconds: row.integer(.ends_us))
    }

    func values() -> [SQLValue] {
        let target: [SQLValue] =
            switch page {
            case .release(let model, let number): [.integer(model), .int(number), .null]
            case .experiment(let name): [.null, .null, .text(name)]
            }
        return [.text(id), .text(secretHash), .text(projectID)] + target
            + [.text(createdBy), .integer(createdMicroseconds), .integer(endsMicroseconds)]
    }
}

extension Credential {
    fileprivate init(_ row: SQLRow) throws(StorageError) {
        switch (row.optionalText(.account_key), row.optionalText(.admin_token)) {
        case (let key?, nil): self = .accountKey(id: key, isReadOnly: row.bool(.is_read_only))
        case (nil, let token?): self = .adminToken(id: token)
        default: throw StorageError(.corrupt, "The database holds a sign-in of neither a key nor a token")
        }
    }

    /// Of the columns `account_key`, `admin_token` and `is_read_only`.
    fileprivate func values() -> [SQLValue] {
        switch self {
        case .accountKey(let id, let isReadOnly): [.text(id), .null, .bool(isReadOnly)]
        case .adminToken(let id): [.null, .text(id), .bool(false)]
        }
    }
}

extension SharedPage {
    fileprivate init(_ row: SQLRow) throws(StorageError) {
        switch (row.optionalInteger(.model), row.optionalInt(.release), row.optionalText(.experiment)) {
        case (let model?, let release?, nil): self = .release(model: model, number: release)
        case (nil, nil, let name?): self = .experiment(name: name)
        default: throw StorageError(.corrupt, "The database holds a link to no known page")
        }
    }
}

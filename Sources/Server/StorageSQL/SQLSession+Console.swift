import HearthCatalog
import HearthStorage

/// Who is signed in to the console. Devices never see it, so serving snapshots do not contain it.
extension SQLSession {
    func consoleSession(id: String) throws -> ConsoleSession? {
        try connection.row(
            "SELECT \(Columns.consoleSession) FROM console_session WHERE id = ?", [.text(id)], Columns.consoleSession)
    }

    func consoleSessions() throws -> [ConsoleSession] {
        try connection.rows(
            "SELECT \(Columns.consoleSession) FROM console_session ORDER BY created_us DESC, id", [],
            Columns.consoleSession)
    }

    func insert(_ session: ConsoleSession) throws {
        try insert(
            into: "console_session", Columns.consoleSession,
            [.text(session.id), .text(session.secretHash)] + Columns.values(of: session.credential) + [
                .integer(session.createdMicroseconds), .integer(session.usedMicroseconds),
                .integer(session.endsMicroseconds), .text(session.address), .text(session.browser),
            ])
    }

    func setUsed(_ session: ConsoleSession, atMicroseconds: Int64) throws {
        try update("console_session", "used_us", [.integer(atMicroseconds)], where: "id = ?", [.text(session.id)])
    }

    func delete(_ session: ConsoleSession) throws {
        try delete(from: "console_session", where: "id = ?", [.text(session.id)])
    }

    func consoleValue(_ name: String, session: String) throws -> ConsoleValue? {
        try connection.row(
            "SELECT \(Columns.consoleValue) FROM console_value WHERE session = ? AND name = ?",
            [.text(session), .text(name)]
        ) { (row) throws(StorageError) in
            ConsoleValue(
                sessionID: row.text(0), name: row.text(1), value: row.text(2), usedMicroseconds: row.integer(3))
        }
    }

    func put(_ value: ConsoleValue) throws {
        try replace(
            in: "console_value", key: "session, name", Columns.consoleValue,
            [.text(value.sessionID), .text(value.name), .text(value.value), .integer(value.usedMicroseconds)])
    }

    func deleteConsoleValue(_ name: String, session: String) throws -> Bool {
        try connection.run(
            "DELETE FROM console_value WHERE session = ? AND name = ?", [.text(session), .text(name)]) == 1
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
            SELECT session, name, length(value) FROM console_value WHERE substr(name, 1, length(?)) = ?
            ORDER BY used_us DESC, session, name
            """, [.text(prefix), .text(prefix)]
        ) { (row) throws(StorageError) in (session: row.text(0), name: row.text(1), length: Int(row.integer(2))) }
        var characters = 0
        for each in all {
            characters += each.length
            if characters > mostCharacters { _ = try deleteConsoleValue(each.name, session: each.session) }
        }
    }

    func insert(_ code: SignInCode) throws {
        try insert(
            into: "sign_in_code", Columns.signInCode,
            [.text(code.secretHash)] + Columns.values(of: code.credential) + [.integer(code.endsMicroseconds)])
    }

    func signInCode(secretHash: String) throws -> SignInCode? {
        try connection.row(
            "SELECT \(Columns.signInCode) FROM sign_in_code WHERE secret_hash = ?", [.text(secretHash)],
            Columns.signInCode)
    }

    func takeSignInCode(secretHash: String) throws -> SignInCode? {
        try connection.row(
            "DELETE FROM sign_in_code WHERE secret_hash = ? RETURNING \(Columns.signInCode)", [.text(secretHash)],
            Columns.signInCode)
    }

    func sharedLink(id: String) throws -> SharedLink? {
        try connection.row(
            "SELECT \(Columns.sharedLink) FROM shared_link WHERE id = ?", [.text(id)], Columns.sharedLink)
    }

    func sharedLinks(project: String) throws -> [SharedLink] {
        try connection.rows(
            "SELECT \(Columns.sharedLink) FROM shared_link WHERE project = ? ORDER BY created_us DESC, id",
            [.text(project)], Columns.sharedLink)
    }

    func sharedLinks(madeBy actor: String) throws -> [SharedLink] {
        try connection.rows(
            "SELECT \(Columns.sharedLink) FROM shared_link WHERE created_by = ? ORDER BY created_us DESC, id",
            [.text(actor)], Columns.sharedLink)
    }

    func insert(_ link: SharedLink) throws {
        try insert(into: "shared_link", Columns.sharedLink, Columns.values(of: link))
    }

    func delete(_ link: SharedLink) throws {
        try delete(from: "shared_link", where: "id = ?", [.text(link.id)])
    }

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

extension Columns {
    static let consoleSession =
        "id, secret_hash, account_key, admin_token, is_read_only, created_us, used_us, ends_us, address, browser"
    static let consoleValue = "session, name, value, used_us"
    static let signInCode = "secret_hash, account_key, admin_token, is_read_only, ends_us"
    static let sharedLink = "id, secret_hash, project, model, release, experiment, created_by, created_us, ends_us"

    static func consoleSession(_ row: any SQLRow) throws(StorageError) -> ConsoleSession {
        ConsoleSession(
            id: row.text(0), secretHash: row.text(1), credential: try credential(row, at: 2),
            createdMicroseconds: row.integer(5), usedMicroseconds: row.integer(6), endsMicroseconds: row.integer(7),
            address: row.text(8), browser: row.text(9))
    }

    static func signInCode(_ row: any SQLRow) throws(StorageError) -> SignInCode {
        SignInCode(
            secretHash: row.text(0), credential: try credential(row, at: 1), endsMicroseconds: row.integer(4))
    }

    static func sharedLink(_ row: any SQLRow) throws(StorageError) -> SharedLink {
        SharedLink(
            id: row.text(0), secretHash: row.text(1), projectID: row.text(2), page: try sharedPage(row, at: 3),
            createdBy: row.text(6), createdMicroseconds: row.integer(7), endsMicroseconds: row.integer(8))
    }

    static func values(of credential: Credential) -> [SQLValue] {
        switch credential {
        case .accountKey(let id, let isReadOnly): [.text(id), .null, .integer(isReadOnly ? 1 : 0)]
        case .adminToken(let id): [.null, .text(id), .integer(0)]
        }
    }

    private static func credential(_ row: any SQLRow, at column: Int32) throws(StorageError) -> Credential {
        switch (row.optionalText(column), row.optionalText(column + 1)) {
        case (let key?, nil): return .accountKey(id: key, isReadOnly: row.integer(column + 2) != 0)
        case (nil, let token?): return .adminToken(id: token)
        default: throw StorageError(.corrupt, "The database holds a sign-in of neither a key nor a token")
        }
    }

    static func values(of link: SharedLink) -> [SQLValue] {
        let (model, release, experiment): (Int64?, Int64?, String?) =
            switch link.page {
            case .release(let model, let number): (model, Int64(number), nil)
            case .experiment(let name): (nil, nil, name)
            }
        return [
            .text(link.id), .text(link.secretHash), .text(link.projectID), .optional(model), .optional(release),
            .optional(experiment), .text(link.createdBy), .integer(link.createdMicroseconds),
            .integer(link.endsMicroseconds),
        ]
    }

    private static func sharedPage(_ row: any SQLRow, at column: Int32) throws(StorageError) -> SharedPage {
        switch (row.optionalInteger(column), row.optionalInteger(column + 1), row.optionalText(column + 2)) {
        case (let model?, let release?, nil): return .release(model: model, number: Int(release))
        case (nil, nil, let name?): return .experiment(name: name)
        default: throw StorageError(.corrupt, "The database holds a link to no known page")
        }
    }
}

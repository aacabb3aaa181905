import CSQLite
import Glibc
import HearthStorage
import HearthStorageSQL

/// One SQLite connection. It owns the handle and its prepared statements. Its users ensure that only one thread uses it
/// at a time.
final class SQLiteConnection: SQLConnection {
    let dialect = SQLDialect(
        // SQLite keeps to the order of a cross join.
        orderedJoin: "CROSS JOIN",
        // Triggers keep it equal to the number of rows.
        installationCount: "SELECT installations FROM project WHERE id = ?")

    private let handle: OpaquePointer
    private var statements: [String: SQLiteStatement] = [:]
    /// Whether SQLite has ever reported that the file is damaged.
    private(set) var hasSeenDamage = false
    /// What broke a rule of the tables in this transaction, which must not be committed then.
    private(set) var conflict: StorageError?
    /// How long a connection waits for a lock of another connection.
    private static let busyMilliseconds = 10_000

    /// Opens or creates the database in WAL mode.
    ///
    /// `synchronous` is FULL: in WAL mode, NORMAL may lose the last committed transactions on power loss, and a
    /// confirmed publish must survive that.
    convenience init(path: String, readOnly: Bool) throws(StorageError) {
        // Readers write too: to the index of the write-ahead log, which all connections share.
        try self.init(path, flags: SQLITE_OPEN_READWRITE | (readOnly ? 0 : SQLITE_OPEN_CREATE))
        // If SQLite may not write the file, it falls back to reading.
        guard readOnly || sqlite3_db_readonly(handle, "main") != 1 else {
            throw StorageError(
                .io, "the file cannot be written to. Make it the server's own and writable (chown, chmod u+rw)")
        }
        try enterWAL()
        try execute("PRAGMA synchronous = FULL")
        try execute("PRAGMA foreign_keys = ON")
        if readOnly { try execute("PRAGMA query_only = ON") }
    }

    /// Opens an existing database that other connections may use, in its present journal mode.
    convenience init(queryOnly path: String) throws(StorageError) {
        try self.init(path, flags: SQLITE_OPEN_READWRITE)
        try execute("PRAGMA query_only = ON")
    }

    /// Opens a file that no program changes. SQLite writes nothing, not even a file beside it.
    convenience init(immutable path: String) throws(StorageError) {
        try self.init(uri: path, "immutable=1")
    }

    /// Opens a database for inspection that no program uses and that has a write-ahead log without its index. The index
    /// is built in memory, and the log stays unchanged.
    convenience init(untouchedWithLog path: String) throws(StorageError) {
        try self.init(path, flags: SQLITE_OPEN_READWRITE)
        guard hearth_sqlite_keep_log(handle) == SQLITE_OK else {
            throw StorageError(.io, "Cannot open the database: closing it would change its log")
        }
        try execute("PRAGMA locking_mode = EXCLUSIVE")
        try execute("PRAGMA query_only = ON")
    }

    /// Opens a database for inspection that has a write-ahead log and its index. Both stay unchanged.
    convenience init(readOnlyWithLog path: String) throws(StorageError) {
        try self.init(uri: path, "readonly_shm=1")
    }

    private convenience init(uri path: String, _ parameter: String) throws(StorageError) {
        let escaped = path.utf8.map { byte in
            let isPlain = (0x2D...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            return isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        try self.init("file:\(escaped.joined())?\(parameter)", flags: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
    }

    /// Opens a file that only this connection uses, without a write-ahead log: after closing, all data is in the one
    /// file.
    convenience init(rollbackJournal path: String) throws(StorageError) {
        try self.init(path, flags: SQLITE_OPEN_READWRITE)
        try execute("PRAGMA journal_mode = DELETE")
    }

    private init(_ name: String, flags: Int32) throws(StorageError) {
        var handle: OpaquePointer?
        let status = sqlite3_open_v2(name, &handle, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard let handle else { throw StorageError(.io, "Cannot open the database: out of memory") }
        self.handle = handle
        guard status == SQLITE_OK else { throw failure(status, "open the database") }
        sqlite3_busy_timeout(handle, Int32(Self.busyMilliseconds))
    }

    deinit {
        statements.removeAll()
        sqlite3_close_v2(handle)
    }

    /// If two connections switch a new database to WAL at once, SQLite refuses one without waiting, because each would
    /// wait for the other. So this retries.
    private func enterWAL() throws(StorageError) {
        let end = ContinuousClock.now + .milliseconds(Self.busyMilliseconds)
        while true {
            let status = sqlite3_exec(handle, "PRAGMA journal_mode = WAL", nil, nil, nil)
            if status == SQLITE_OK { return }
            guard status & 0xFF == SQLITE_BUSY, ContinuousClock.now < end else {
                throw failure(status, "turn on the write-ahead log")
            }
            sqlite3_sleep(5)
        }
    }

    /// Begins a transaction that writes.
    func beginWrite() throws(StorageError) {
        conflict = nil
        try execute("BEGIN IMMEDIATE")
    }

    /// Commits a transaction that writes.
    func commitWrite() throws(StorageError) {
        // A closure may have gone on after a refused change. PostgreSQL does not allow it.
        if let conflict { throw conflict }
        try execute("COMMIT")
    }

    /// Runs SQL whose rows, if any, do not matter.
    func execute(_ sql: String) throws(StorageError) {
        let status = sqlite3_exec(handle, sql, nil, nil, nil)
        guard status == SQLITE_OK else { throw failure(status, "run a statement") }
    }

    /// Runs a statement with its parameters; returns how many rows it changed.
    @discardableResult
    func run(_ sql: String, _ parameters: [SQLValue]) throws(StorageError) -> Int {
        try withStatement(sql, parameters) { (statement) throws(StorageError) in
            while try statement.step() {}
        }
        return Int(sqlite3_changes(handle))
    }

    /// Every row, decoded.
    func rows<Value>(
        _ sql: String, _ parameters: [SQLValue], _ decode: (SQLRow) throws(StorageError) -> Value
    ) throws(StorageError) -> [Value] {
        var values: [Value] = []
        try forEachRow(sql, parameters) { (row) throws(StorageError) in values.append(try decode(row)) }
        return values
    }

    /// Gives `body` row by row, without keeping them.
    func forEachRow(
        _ sql: String, _ parameters: [SQLValue], _ body: (SQLRow) throws(StorageError) -> Void
    ) throws(StorageError) {
        try withStatement(sql, parameters) { (statement) throws(StorageError) in
            let row = statement.row
            while try statement.step() { try body(row) }
        }
    }

    private func withStatement(
        _ sql: String, _ parameters: [SQLValue], _ body: (SQLiteStatement) throws(StorageError) -> Void
    ) throws(StorageError) {
        let statement = try statement(sql)
        defer { statement.reset() }
        for (index, value) in parameters.enumerated() { try statement.bind(value, at: Int32(index + 1)) }
        try body(statement)
    }

    private func statement(_ sql: String) throws(StorageError) -> SQLiteStatement {
        if let known = statements[sql] { return known }
        var prepared: OpaquePointer?
        let status = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard status == SQLITE_OK, let prepared else { throw failure(status, "prepare a statement") }
        let statement = SQLiteStatement(takingOwnershipOf: prepared) { [unowned self] in failure($0, $1) }
        statements[sql] = statement
        return statement
    }

    /// A SQLite status becomes a storage error only here.
    private func failure(_ status: Int32, _ operation: String) -> StorageError {
        let code: StorageError.Code =
            switch status & 0xFF {
            case SQLITE_CONSTRAINT: .conflict
            case SQLITE_FULL: .noSpace
            case SQLITE_CANTOPEN where [EMFILE, ENFILE].contains(sqlite3_system_errno(handle)): .tooManyOpen
            case SQLITE_CORRUPT, SQLITE_NOTADB: .corrupt
            default: .io
            }
        if code == .corrupt { hasSeenDamage = true }
        let error = StorageError(code, "Cannot \(operation): \(String(cString: sqlite3_errmsg(handle)))")
        if code == .conflict { conflict = conflict ?? error }
        return error
    }
}

/// A prepared statement, finalized with the object. It belongs to one connection and its thread.
final class SQLiteStatement {
    private let handle: OpaquePointer
    private let failure: (Int32, String) -> StorageError
    /// The current row, if there is one; valid until the next step.
    private(set) lazy var row = SQLRow(
        SQLColumns(
            (0..<sqlite3_column_count(handle)).map { place in
                sqlite3_column_name(handle, place).map { String(cString: $0) } ?? ""
            }), SQLiteRowValues(handle))

    init(takingOwnershipOf handle: OpaquePointer, failure: @escaping (Int32, String) -> StorageError) {
        self.handle = handle
        self.failure = failure
    }

    deinit { sqlite3_finalize(handle) }

    func bind(_ value: SQLValue, at index: Int32) throws(StorageError) {
        let status: Int32
        switch value {
        case .integer(let number): status = sqlite3_bind_int64(handle, index, number)
        case .real(let number): status = sqlite3_bind_double(handle, index, number)
        case .null: status = sqlite3_bind_null(handle, index)
        case .bytes(let bytes):
            status = bytes.withUnsafeBytes { bytes in
                // An empty buffer may have no address, which SQLite treats as NULL.
                bytes.baseAddress.map { hearth_sqlite_bind_blob(handle, index, $0, Int32(bytes.count)) }
                    ?? hearth_sqlite_bind_blob(handle, index, "", 0)
            }
        case .text(let text):
            var text = text
            status = text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) {
                    // An empty buffer may have no address, which SQLite treats as NULL.
                    $0.baseAddress.map { hearth_sqlite_bind_text(handle, index, $0, Int32(bytes.count)) }
                        ?? hearth_sqlite_bind_text(handle, index, "", 0)
                }
            }
        }
        guard status == SQLITE_OK else { throw failure(status, "bind a parameter") }
    }

    /// Whether there is a row.
    func step() throws(StorageError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let status: throw failure(status, "run a statement")
        }
    }

    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }
}

private final class SQLiteRowValues: SQLRowValues {
    private let handle: OpaquePointer

    init(_ handle: OpaquePointer) { self.handle = handle }

    func integer(at place: Int32) -> Int64 { sqlite3_column_int64(handle, place) }

    func real(at place: Int32) -> Double { sqlite3_column_double(handle, place) }

    func optionalInteger(at place: Int32) -> Int64? {
        sqlite3_column_type(handle, place) == SQLITE_NULL ? nil : integer(at: place)
    }

    func bytes(at place: Int32) -> [UInt8] {
        guard let bytes = sqlite3_column_blob(handle, place) else { return [] }
        return Array(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, place))))
    }

    func optionalText(at place: Int32) -> String? {
        guard let bytes = sqlite3_column_text(handle, place) else { return nil }
        let count = Int(sqlite3_column_bytes(handle, place))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }
}

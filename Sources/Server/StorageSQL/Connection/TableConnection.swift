package import HearthStorage

/// A connection that reads and writes whole tables, to copy them from one engine to another. It takes part in no work of
/// servers.
package protocol TableConnection: SQLConnection {
    /// What runs the statements.
    var statements: any SQLConnection { get }

    /// Of all tables, as the database itself describes them.
    func tables() throws(StorageError) -> [StoredTable]

    /// Begins a transaction that sees one consistent state and changes nothing.
    func beginReading() throws(StorageError)
    /// Begins a transaction that changes rows, also while the records are read-only for servers.
    func beginWriting() throws(StorageError)
    func commit() throws(StorageError)
    func rollback()

    /// How many rows one statement inserts best.
    var rowsPerInsert: Int { get }

    /// Makes the engine's own numbers agree with rows that were copied: what the next id is, and counts. Inside a
    /// transaction.
    func adoptRows() throws(StorageError)

    /// Waits for the changes in progress. All later ones are refused, or allowed again.
    func setReadOnly(_ mark: ReadOnlyMark?) throws(StorageError)
}

extension TableConnection {
    package var dialect: SQLDialect { statements.dialect }

    @discardableResult
    package func run(_ sql: String, _ parameters: [SQLValue]) throws(StorageError) -> Int {
        try statements.run(sql, parameters)
    }

    package func rows<Value>(
        _ sql: String, _ parameters: [SQLValue], _ decode: (SQLRow) throws(StorageError) -> Value
    ) throws(StorageError) -> [Value] {
        try statements.rows(sql, parameters, decode)
    }

    package func forEachRow(
        _ sql: String, _ parameters: [SQLValue], _ body: (SQLRow) throws(StorageError) -> Void
    ) throws(StorageError) {
        try statements.forEachRow(sql, parameters, body)
    }

    /// The look-ups of the transaction that has begun.
    package var store: any MetadataReader { SQLTransaction(on: self).store }

    package var transaction: SQLTransaction { SQLTransaction(on: self) }

    /// One transaction, which is undone if `body` throws.
    @discardableResult
    package func writing<Result>(_ body: () throws -> Result) throws -> Result {
        try beginWriting()
        do {
            let result = try body()
            try commit()
            return result
        } catch {
            rollback()
            throw error
        }
    }

    /// One consistent state.
    package func reading<Result>(_ body: () throws -> Result) throws -> Result {
        try beginReading()
        defer { rollback() }
        return try body()
    }

    /// The id of the data.
    package func folderID() throws(StorageError) -> String {
        let id = try text("SELECT id FROM folder")
        guard let id, !id.isEmpty else { throw StorageError(.corrupt, "The database does not name its data") }
        return id
    }
}

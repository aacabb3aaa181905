package import HearthStorage
package import HearthStorageSQL

/// The tables of a SQLite database, to copy them.
package final class SQLiteTables: TableConnection {
    private let connection: SQLiteConnection

    /// Opens or makes a database that other connections may use, and brings it up to date.
    package init(updating path: String) throws(StorageError) {
        connection = try SQLiteConnection(path: path, readOnly: false)
        try SQLiteSchema.migrate(connection)
    }

    /// Opens a database that a server may use. It must be up to date.
    package init(live path: String) throws(StorageError) {
        connection = try SQLiteConnection(path: path, readOnly: false)
        try SQLiteSchema.checkIsCurrent(connection)
    }

    /// Opens a copy that no program writes to. No file appears beside it.
    package init(copy path: String) throws(StorageError) {
        connection = try SQLiteConnection(immutable: path)
        try SQLiteSchema.checkIsCurrent(connection)
    }

    package var statements: any SQLConnection { connection }
    package let rowsPerInsert = 1

    package func beginReading() throws(StorageError) { try connection.execute("BEGIN") }
    package func beginWriting() throws(StorageError) { try connection.beginWrite() }
    package func commit() throws(StorageError) { try connection.commitWrite() }
    package func rollback() { try? connection.execute("ROLLBACK") }

    /// Triggers count, and SQLite finds the next id itself.
    package func adoptRows() throws(StorageError) {}

    package func setReadOnly(_ mark: ReadOnlyMark?) throws(StorageError) {
        try connection.beginWrite()
        do throws(StorageError) {
            try transaction.set(.readOnly, mark?.text)
            try connection.commitWrite()
        } catch {
            rollback()
            throw error
        }
    }

    /// Puts everything into the one file, without a log beside it. No other connection may be open.
    package func makeSingleFile() throws(StorageError) { try connection.execute("PRAGMA journal_mode = DELETE") }

    package func tables() throws(StorageError) -> [StoredTable] {
        let names = try texts(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
        var tables: [StoredTable] = []
        for name in names { tables.append(try table(name)) }
        return tables
    }

    private func table(_ name: String) throws(StorageError) -> StoredTable {
        let columns = try rows(
            "SELECT name, type, pk FROM pragma_table_info(?) ORDER BY cid", [.text(name)]
        ) { row in
            (StoredTable.Column(row.text(.name), Self.kinds[row.text(.type)]), row.integer(.pk))
        }
        let references = try texts("SELECT DISTINCT \"table\" FROM pragma_foreign_key_list(?)", [.text(name)])
        let key = columns.filter { $0.1 > 0 }.sorted { $0.1 < $1.1 }.map(\.0.name)
        return StoredTable(
            name: name, columns: columns.map(\.0), key: key.isEmpty ? ["rowid"] : key, references: Set(references))
    }

    private static let kinds: [String: StoredTable.Kind] = [
        "INTEGER": .integer, "REAL": .real, "TEXT": .text, "BLOB": .bytes,
    ]
}

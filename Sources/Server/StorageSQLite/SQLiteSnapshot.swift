import CSQLite
package import HearthStorage
import HearthStorageSQL

/// A database that is inspected and not served: that of a running server, or a copy.
///
/// It is never changed, and an older or newer schema is refused. One owner, one thread at a time.
package final class SQLiteSnapshot {
    private let connection: SQLiteConnection

    /// Opens the database of a data folder for copying, also while a server uses it. It must exist.
    package convenience init(live path: String) throws(StorageError) {
        try self.init(try SQLiteConnection(queryOnly: path))
    }

    /// Opens a copy that no program writes to. No file appears beside it.
    package convenience init(copy path: String) throws(StorageError) {
        try self.init(try SQLiteConnection(immutable: path))
    }

    /// Opens a database with a write-ahead log and its index (`-shm`), also while a server uses it. No byte of it
    /// changes, and it need not be writable.
    package convenience init(logged path: String) throws(StorageError) {
        try self.init(try SQLiteConnection(readOnlyWithLog: path))
    }

    private init(_ connection: SQLiteConnection) throws(StorageError) {
        self.connection = connection
        try SQLiteSchema.checkIsCurrent(connection)
    }

    /// One consistent state.
    package func read<Result>(_ body: (any MetadataReader) throws -> Result) throws -> Result {
        try connection.execute("BEGIN")
        // A read transaction changes nothing, so a failed end does not matter.
        defer { try? connection.execute("COMMIT") }
        return try body(SQLTransaction(on: connection).store)
    }

    /// The id of the data folder that the database belongs to.
    package func folderID() throws(StorageError) -> String { try SQLiteSchema.folderID(connection) }

    /// What SQLite finds wrong in the file's structure and in references between rows, one line each.
    package func damage() throws(StorageError) -> [String] {
        let structure = try connection.texts("PRAGMA integrity_check")
        let references = try connection.rows("PRAGMA foreign_key_check") { row in
            "a row of the table \(row.text(.table)) refers to a missing row of \(row.text(.parent))"
        }
        let counts = try connection.rows(
            """
            SELECT id, installations, (SELECT count(*) FROM installation WHERE installation.project = project.id) AS found
            FROM project WHERE found <> installations
            """
        ) { row in
            """
            the project \(row.text(.id)) counts \(row.integer(.installations)) installations and has \
            \(row.integer(.found))
            """
        }
        return structure.filter { $0 != "ok" } + references + counts
    }

    /// The number of the schema that this Hearth writes.
    package static var schema: Int { SQLiteSchema.steps.count }

    /// Writes a consistent copy to `target`, which must not exist, while servers continue to read and write. Unfinished
    /// uploads are left out, because their bytes are not in the database. Wraps `VACUUM INTO`. The copy is not
    /// synchronized yet.
    package func write(to target: String) throws(StorageError) {
        // The setting forbids writes through this connection, and the copy is written through it.
        try connection.execute("PRAGMA query_only = OFF")
        try connection.run("VACUUM INTO ?", [.text(target)])
        try connection.execute("PRAGMA query_only = ON")
        let copy = try SQLiteConnection(rollbackJournal: target)
        try copy.execute("DELETE FROM upload_session")
    }
}

package import HearthStorage
package import HearthStorageSQL

/// The tables of a PostgreSQL database, to copy them.
package final class PostgresTables: TableConnection {
    private let connection: PostgresConnection

    /// Connects. Never upgrades tables that are there, because servers of an earlier version may use them.
    ///
    /// - Parameter createsTables: whether an empty database gets the tables.
    /// - Throws: `.unavailable` if the database cannot be reached, `.older` if it has not the tables that this program needs,
    ///   `.newer` if this program cannot use it any more.
    package init(_ configuration: PostgresConfiguration, createsTables: Bool = false) throws(StorageError) {
        var configuration = configuration
        // The first row of a large table comes late.
        configuration.statementSeconds = 600
        connection = try PostgresConnection(configuration)
        try PostgresMetadataStore.check(connection, configuration)
        if createsTables, try PostgresSchema.isAbsent(connection) { try PostgresSchema.migrate(connection) }
        try PostgresSchema.checkIsCurrent(connection, configuration.place)
        // A transaction lasts as long as the copy, and waits for the other side.
        try connection.execute("SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0")
    }

    package var statements: any SQLConnection { connection }
    package let rowsPerInsert = 200

    package func beginReading() throws(StorageError) {
        try connection.begin("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    }

    package func beginWriting() throws(StorageError) { try connection.begin("BEGIN") }
    package func commit() throws(StorageError) { try connection.commit() }
    package func rollback() { connection.rollback() }

    package func setReadOnly(_ mark: ReadOnlyMark?) throws(StorageError) {
        // Waits for the changes in progress. Those that come later see the mark.
        try connection.begin("BEGIN; LOCK TABLE data_mark IN EXCLUSIVE MODE")
        do throws(StorageError) {
            try transaction.set(.readOnly, mark?.text)
            try connection.commit()
        } catch {
            connection.rollback()
            throw error
        }
    }

    /// Reserves the database for this connection, as the target of a copy. False if another one has it.
    package func reserve() throws(StorageError) -> Bool {
        try integer("SELECT pg_try_advisory_lock(?, hashtext(current_schema()))", [.integer(Self.copyLock)]) == 1
    }

    /// While this connection is open, no server removes model files.
    package func keepBlobs() throws(StorageError) {
        let lock = PostgresCoordination.blobLock(of: try folderID())
        try run("SELECT pg_advisory_lock_shared(?, ?)", lock)
    }

    /// "copy", beside the numbers that data have.
    private static let copyLock: Int64 = 0x636F_7079

    package func adoptRows() throws(StorageError) {
        let identities = try rows(
            """
            SELECT table_name, column_name FROM information_schema.columns
            WHERE table_schema = current_schema() AND is_identity = 'YES'
            """
        ) { row in (row.text(.table_name), row.text(.column_name)) }
        for (table, column) in identities {
            let largest = "(SELECT max(\"\(column)\") FROM \"\(table)\")"
            try run(
                """
                SELECT setval(pg_get_serial_sequence('"\(table)"', '\(column)'), coalesce(\(largest), 1), \
                \(largest) IS NOT NULL)
                """)
        }
        try run("DELETE FROM installation_count", [])
        try run(
            "INSERT INTO installation_count SELECT project, 0, count(*) FROM installation GROUP BY project", [])
    }

    /// Looks at the rows, so that the next statements take the right way to them.
    package func analyze() throws(StorageError) { try connection.execute("ANALYZE") }

    package func tables() throws(StorageError) -> [StoredTable] {
        let names = try texts(
            """
            SELECT table_name FROM information_schema.tables
            WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' ORDER BY table_name
            """)
        var tables: [StoredTable] = []
        for name in names { tables.append(try table(name)) }
        return tables
    }

    private func table(_ name: String) throws(StorageError) -> StoredTable {
        let columns = try rows(
            """
            SELECT column_name, data_type FROM information_schema.columns
            WHERE table_schema = current_schema() AND table_name = ? ORDER BY ordinal_position
            """, [.text(name)]
        ) { row in StoredTable.Column(row.text(.column_name), Self.kinds[row.text(.data_type)]) }
        let key = try texts(
            """
            SELECT attribute.attname FROM pg_index
            CROSS JOIN LATERAL unnest(pg_index.indkey) WITH ORDINALITY AS part(number, place)
            JOIN pg_attribute AS attribute
                ON attribute.attrelid = pg_index.indrelid AND attribute.attnum = part.number
            WHERE pg_index.indrelid = CAST(CAST(? AS TEXT) AS regclass) AND pg_index.indisprimary ORDER BY part.place
            """, [.text("\"\(name)\"")])
        let references = try texts(
            """
            SELECT DISTINCT pg_class.relname FROM pg_constraint JOIN pg_class ON pg_class.oid = pg_constraint.confrelid
            WHERE pg_constraint.conrelid = CAST(CAST(? AS TEXT) AS regclass) AND pg_constraint.contype = 'f'
            """, [.text("\"\(name)\"")])
        return StoredTable(name: name, columns: columns, key: key, references: Set(references))
    }

    private static let kinds: [String: StoredTable.Kind] = [
        "bigint": .integer, "integer": .integer, "double precision": .real, "text": .text, "bytea": .bytes,
    ]
}

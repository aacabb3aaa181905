import HearthStorage

/// The tables, and the steps that lead to them. `user_version` counts the steps a database has taken; a step that
/// has been released is never edited.
enum SQLiteSchema {
    static let steps: [String] = [
        """
        CREATE TABLE project (
            id TEXT PRIMARY KEY, number INTEGER NOT NULL UNIQUE, api_key_hash TEXT NOT NULL, app_id TEXT NOT NULL,
            created_us INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE service_account (
            email TEXT PRIMARY KEY, project TEXT NOT NULL REFERENCES project(id), client_id TEXT NOT NULL UNIQUE,
            key_id TEXT NOT NULL, public_key_pem TEXT NOT NULL, client_secret_hash TEXT NOT NULL
        ) STRICT;
        CREATE TABLE counter (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT;
        INSERT INTO counter VALUES ('model', 1000000);
        CREATE TABLE model (
            id INTEGER PRIMARY KEY, project TEXT NOT NULL REFERENCES project(id), display_name TEXT NOT NULL,
            tags TEXT NOT NULL, newest_version INTEGER, released_version INTEGER, revision INTEGER NOT NULL,
            created_us INTEGER NOT NULL, updated_us INTEGER NOT NULL, UNIQUE (project, display_name)
        ) STRICT;
        CREATE TABLE version (
            model INTEGER NOT NULL REFERENCES model(id) ON DELETE CASCADE, number INTEGER NOT NULL,
            sha256 TEXT NOT NULL, size_bytes INTEGER NOT NULL, source_uri TEXT NOT NULL, verdict TEXT NOT NULL,
            verdict_message TEXT NOT NULL, contract TEXT, created_us INTEGER NOT NULL, created_by TEXT NOT NULL,
            PRIMARY KEY (model, number)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE object (
            project TEXT NOT NULL REFERENCES project(id), bucket TEXT NOT NULL, name TEXT NOT NULL,
            sha256 TEXT NOT NULL, size_bytes INTEGER NOT NULL, verdict TEXT NOT NULL, verdict_message TEXT NOT NULL,
            contract TEXT, created_us INTEGER NOT NULL, PRIMARY KEY (project, bucket, name)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE audit (
            id INTEGER PRIMARY KEY, project TEXT NOT NULL, actor TEXT NOT NULL, action TEXT NOT NULL,
            subject TEXT NOT NULL, detail TEXT NOT NULL, at_us INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX audit_by_project ON audit (project, id);
        """
    ]

    /// Brings the database up to date, in one transaction.
    ///
    /// - Throws: `.corrupt` for a database that has taken steps unknown here.
    static func migrate(_ connection: SQLiteConnection) throws(StorageError) {
        guard try stepsTaken(connection) < steps.count else { return }
        try connection.execute("BEGIN IMMEDIATE")
        do throws(StorageError) {
            // Counted again now that nobody else can write: another process may have been faster.
            for index in try stepsTaken(connection)..<steps.count {
                try connection.execute("\(steps[index]) PRAGMA user_version = \(index + 1)")
            }
            try connection.execute("COMMIT")
        } catch {
            try? connection.execute("ROLLBACK")
            throw error
        }
    }

    private static func stepsTaken(_ connection: SQLiteConnection) throws(StorageError) -> Int {
        let taken = try connection.row("PRAGMA user_version") { (row) throws(StorageError) in Int(row.integer(0)) } ?? 0
        guard (0...steps.count).contains(taken) else {
            throw StorageError(
                .corrupt,
                "The database has schema \(taken), but this Hearth knows up to \(steps.count): use the one that wrote it"
            )
        }
        return taken
    }
}

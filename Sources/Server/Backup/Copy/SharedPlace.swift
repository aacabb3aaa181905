import HearthFiles
package import HearthStorage
import HearthStoragePostgres
import HearthStorageS3
import HearthStorageSQL

/// A database and a store that several servers share.
package struct SharedPlace: Sendable {
    let database: PostgresConfiguration
    let store: S3Client

    package init(database: String, blobs: String, environment: [String: String]) throws(BackupError) {
        do {
            let database = try PostgresConfiguration(url: database)
            guard !database.hasPassword else {
                throw BackupError(
                    .io,
                    """
                    The password of the database does not belong into the command, where other users see it, but into \
                    PGPASSWORD or a password file (PGPASSFILE).
                    """)
            }
            self.database = database
            store = S3Client(
                try S3Configuration(url: blobs),
                credentials: try S3Credentials.find(file: nil, environment: environment))
        } catch let error as BackupError {
            throw error
        } catch {
            throw BackupError(.io, "\(error)", cause: error)
        }
    }

    package var name: String { "\(database.place) with \(store.configuration.place)" }

    /// What is said about all of its records.
    package func value(of mark: DataMark) throws -> String? {
        let tables = try PostgresTables(database)
        return try tables.reading { try tables.store.value(of: mark) }
    }

    /// Also while the records are read-only for servers.
    package func set(_ mark: DataMark, _ value: String?) throws {
        let tables = try PostgresTables(database)
        try tables.writing { try tables.transaction.set(mark, value) }
    }

    var objects: S3Objects { S3Objects(store) }
}

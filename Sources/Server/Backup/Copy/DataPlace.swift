import HearthFiles
package import HearthStorage
import HearthStoragePostgres
import HearthStorageS3
import HearthStorageSQL

/// Where all data of a server is: in a folder, or in a database and a store that several servers share.
package enum DataPlace: Sendable {
    case folder(String)
    case shared(SharedPlace)

    package var name: String {
        switch self {
        case .folder(let path): path
        case .shared(let place): place.name
        }
    }

    /// - Parameters:
    ///   - text: a folder, or the URL of a PostgreSQL database.
    ///   - blobs: the URL of the store that belongs to a database.
    ///   - environment: has the keys of the store.
    /// - Throws: if the two do not fit, or a URL cannot be read.
    package init(_ text: String, blobs: String?, environment: [String: String]) throws(BackupError) {
        guard text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") else {
            guard blobs == nil else {
                throw BackupError(
                    .notFound, "A store for model files goes with a PostgreSQL database, and \(text) is a folder.")
            }
            self = .folder(text.count > 1 && text.hasSuffix("/") ? String(text.dropLast()) : text)
            return
        }
        guard let blobs else {
            throw BackupError(
                .notFound, "The model files of a PostgreSQL database are in a store: also give its s3://… address.")
        }
        self = .shared(try SharedPlace(database: text, blobs: blobs, environment: environment))
    }
}

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

import HearthStorage
import HearthStorageSQLite

/// Opens the database of a data folder for a server.
enum ServerDatabase {
    static func open(_ path: String) throws -> SQLiteMetadataStore {
        try naming(path) {
            let store = try SQLiteMetadataStore(path: path)
            // The first read shows damage inside the file.
            _ = try store.read { try $0.projects() }
            return store
        }
    }

    /// Says which database failed, and what to do.
    static func naming<Value>(_ database: String, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as StorageError where error.code == .corrupt {
            throw ServerStartError(
                "The database \(database) is damaged (\(error)). Restore it from a copy, or give another --data folder.",
                cause: error)
        } catch let error as StorageError {
            throw ServerStartError("The database \(database) cannot be used: \(error)", cause: error)
        }
    }
}

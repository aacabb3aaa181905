import HearthCatalog
import HearthLocalCommands
import HearthStorage
import HearthStorageSQLite

/// The database of a data folder, as a server takes it over.
enum ServerDatabase {
    static func open(_ path: String) throws -> SQLiteMetadataStore {
        try naming(path) {
            let store = try SQLiteMetadataStore(path: path)
            // Damage inside the file shows at the first look.
            _ = try store.read { try $0.projects() }
            return store
        }
    }

    /// Says which database failed, and what to do.
    static func naming<Value>(_ database: String, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as StorageError where error.code == .corrupt {
            throw CommandFailure(
                "The database \(database) is damaged (\(error)). Restore it from a copy, or give another --data folder."
            )
        } catch let error as StorageError {
            throw CommandFailure("The database \(database) cannot be used: \(error)")
        }
    }
}

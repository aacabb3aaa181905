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

    /// A project's id never changes: another one than was ever made here is a slip, in the id or in the folder.
    ///
    /// A project that was deleted since stops no server whose settings still name it.
    static func check(_ wanted: String?, against metadata: SQLiteMetadataStore, in folder: String) throws {
        guard let wanted else { return }
        let oldest = try metadata.read { store in
            let projects = try store.projects()
            let isKnown = try projects.contains { $0.id == wanted } || wasMade(wanted, store)
            return isKnown ? nil : projects.min { $0.createdMicroseconds < $1.createdMicroseconds }
        }
        guard let oldest else { return }
        throw CommandFailure(
            """
            The data folder \(folder) holds the project '\(oldest.id)', not '\(wanted)'. Leave --project out, or give \
            another --data folder.
            """)
    }

    private static func wasMade(_ id: String, _ store: any MetadataReader) throws -> Bool {
        var filter = AuditFilter()
        filter.action = "project.create"
        return try !store.audit(project: id, matching: filter, before: nil, limit: 1).isEmpty
    }
}

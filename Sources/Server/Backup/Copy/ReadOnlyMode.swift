import HearthCatalog
import HearthFiles
package import HearthStorage
import HearthStoragePostgres
import HearthStorageSQL
import HearthStorageSQLite
package import HearthWire

/// The mode in which servers answer devices and refuse changes.
package struct ReadOnlyMode {
    private let tables: any TableConnection

    /// - Throws: if the place has no records, or its database is not up to date.
    package init(_ place: DataPlace) throws {
        switch place {
        case .folder(let path):
            guard try DiskFiles().size(DataLayout(path).database) != nil else {
                throw BackupError(.notFound, "\(path) is not a data folder of a Hearth server: it has no database.")
            }
            tables = try SQLiteTables(live: DataLayout(path).database)
        case .shared(let shared): tables = try PostgresTables(shared.database)
        }
    }

    /// Nil while changes are allowed.
    package func current() throws -> ReadOnlyMark? {
        try tables.reading { try tables.store.value(of: .readOnly) }.map { ReadOnlyMark($0) }
    }

    /// Returns when no change is in progress any more.
    package func begin(reason: String, now: Timestamp) throws {
        guard try current() == nil else { return }
        try tables.setReadOnly(ReadOnlyMark(reason: reason, now: now))
    }

    package func end() throws { try tables.setReadOnly(nil) }
}

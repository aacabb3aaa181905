import HearthConcurrency
package import HearthStorage
import HearthStorageSQL
import Synchronization

/// `MetadataStore` in one SQLite file in WAL mode.
///
/// One writer connection behind a lock. Readers take connections from a pool, so that reads never wait for writes.
package final class SQLiteMetadataStore: MetadataStore {
    /// A connection that moves between threads, used by one thread at a time.
    ///
    /// `@unchecked Sendable`: either the pool (inside its mutex) or the one call that took it owns a lease, and SQLite
    /// allows a connection to move between threads as long as calls do not overlap.
    private struct Lease: @unchecked Sendable {
        let connection: SQLiteConnection
    }

    /// The id of the data folder that the database belongs to. It never changes.
    package let folderID: String

    private let path: String
    private let writer: Lock<Lease>
    private let revision = Atomic<UInt64>(1)
    private let damage = Atomic(false)
    private let readOnly = ReadOnlyWatch()
    private let idleReaders = Lock<[Lease]>([])

    /// Opens or creates the database at `path` and brings its tables up to date.
    package init(path: String) throws(StorageError) {
        self.path = path
        let connection = try SQLiteConnection(path: path, readOnly: false)
        try SQLiteSchema.migrate(connection)
        folderID = try SQLiteSchema.folderID(connection)
        writer = Lock(Lease(connection: connection))
    }

    package var servingRevision: UInt64 { revision.load(ordering: .acquiring) }

    package var isDamaged: Bool { damage.load(ordering: .relaxed) }

    package func read<Result>(_ body: (any MetadataReader) throws -> Result) throws -> Result {
        let lease = try idleReaders.withLock { $0.popLast() } ?? Lease(connection: openReader())
        let connection = lease.connection
        var mayBeLent = false
        defer {
            // Before another thread can get the connection.
            noteDamage(connection)
            if mayBeLent { idleReaders.withLock { $0.append(lease) } }
        }
        try connection.execute("BEGIN")
        // A connection that cannot end its transaction would see the old state for ever, so it is closed instead.
        defer { mayBeLent = (try? connection.execute("COMMIT")) != nil }
        return try body(SQLTransaction(on: connection).store)
    }

    package func write<Result>(_ body: (any MetadataWriter) throws -> Result) throws -> Result {
        try writer.withLock { lease in
            let connection = lease.connection
            defer { noteDamage(connection) }
            try connection.beginWrite()
            do {
                let transaction = SQLTransaction(on: connection)
                if let reason = try transaction.store.value(of: .readOnly) { throw ReadOnlyMark.refusal(reason) }
                let result = try body(transaction.store)
                try connection.commitWrite()
                if transaction.changesServing { revision.wrappingAdd(1, ordering: .releasing) }
                return result
            } catch {
                try? connection.execute("ROLLBACK")
                throw error
            }
        }
    }

    package var readOnlyReason: String? {
        readOnly.reason { try read { try $0.value(of: .readOnly) } }
    }

    private func openReader() throws(StorageError) -> SQLiteConnection {
        do throws(StorageError) {
            return try SQLiteConnection(path: path, readOnly: true)
        } catch {
            if error.code == .corrupt { damage.store(true, ordering: .relaxed) }
            throw error
        }
    }

    private func noteDamage(_ connection: SQLiteConnection) {
        if connection.hasSeenDamage { damage.store(true, ordering: .relaxed) }
    }
}

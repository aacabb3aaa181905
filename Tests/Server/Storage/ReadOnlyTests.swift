import Foundation
import HearthCatalog
import HearthConcurrency
import HearthStorage
import HearthStorageSQL
import HearthStorageSQLite
import HearthTestSupport
import HearthWire
import Synchronization
import Testing

@testable import HearthStoragePostgres
@testable import HearthStorageTestSupport

/// Records that must not be changed for a while.
struct ReadOnlyTests {
    private static let mark = ReadOnlyMark(reason: "they move", now: Timestamp(microseconds: 1_800_000_000_000_000))

    private func check(_ store: any MetadataStore, _ tables: any TableConnection) throws {
        try store.write { try $0.insert(Records.project("project-a", number: 1)) }
        try tables.setReadOnly(Self.mark)
        let error = #expect(throws: StorageError.self) {
            try store.write { try $0.insert(Records.project("project-b", number: 2)) }
        }
        #expect(error?.code == .readOnly)
        #expect(error?.message.contains("since 2027-01-15T08:00:00Z (they move)") == true)
        #expect(try store.read { try $0.projects().count } == 1)
        #expect(store.readOnlyReason.map { ReadOnlyMark($0) } == Self.mark)
        try tables.setReadOnly(nil)
        try store.write { try $0.insert(Records.project("project-b", number: 2)) }
        #expect(try store.read { try $0.projects().count } == 2)
    }

    @Test("SQLite: another process's mark refuses changes, and answers look-ups")
    func sqlite() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/hearth.sqlite"
        try check(SQLiteMetadataStore(path: path), SQLiteTables(live: path))
    }

    @Test("PostgreSQL: a mark refuses changes, and answers look-ups", .enabled(if: TestDatabase.server != nil))
    func postgres() throws {
        let database = try TestDatabase()
        try check(PostgresMetadataStore(database.configuration), PostgresTables(database.configuration))
    }

    /// Otherwise a change could be committed after the look at the records that are copied.
    @Test("PostgreSQL: the mark waits for the changes in progress", .enabled(if: TestDatabase.server != nil))
    func changesInProgress() throws {
        let database = try TestDatabase()
        let store = try PostgresMetadataStore(database.configuration)
        let (hasBegun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let outcome = Mutex<(wrote: Bool, found: Int?)>((false, nil))
        let group = DispatchGroup()
        Thread.detachNewThread {
            group.enter()
            try? store.write { store in
                try store.insert(Records.project("project-a", number: 1))
                hasBegun.signal()
                mayEnd.wait()
            }
            outcome.withLock { $0.wrote = true }
            group.leave()
        }
        hasBegun.wait()
        let tables = try PostgresTables(database.configuration)
        let marked = DispatchSemaphore(value: 0)
        let marker = try PostgresTables(database.configuration)
        let lent = Lent(marker)
        Thread.detachNewThread {
            try? lent.value.setReadOnly(Self.mark)
            let found = try? lent.value.reading { try lent.value.store.projects().count }
            outcome.withLock { $0.found = found }
            marked.signal()
        }
        let waits = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = CAST('data_mark' AS regclass)"
        let deadline = ContinuousClock.now + .seconds(30)
        while try tables.row(waits, [], { $0.integer(0) }) == 0, ContinuousClock.now < deadline { usleep(1000) }
        #expect(outcome.withLock { $0.found } == nil)
        mayEnd.signal()
        #expect(marked.wait(timeout: .now() + 30) == .success)
        // What the change wrote is there as soon as the mark is.
        #expect(outcome.withLock { $0.found } == 1)
    }

    /// `@unchecked Sendable`: one thread uses it at a time, first the test's and then the other.
    private struct Lent: @unchecked Sendable {
        let value: PostgresTables

        init(_ value: PostgresTables) { self.value = value }
    }
}

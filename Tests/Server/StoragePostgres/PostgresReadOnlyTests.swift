import Foundation
import HearthStorage
import HearthStorageSQL
import HearthWire
import Synchronization
import Testing

@testable import HearthStoragePostgres
@testable import HearthStorageTestSupport

@Suite(
    "Records in PostgreSQL that become read-only", .enabled(if: TestDatabase.server != nil, "TEST_POSTGRES is not set"))
struct PostgresReadOnlyTests {
    /// Otherwise a change could be committed after the look at the records that are copied.
    @Test("The mark waits for the changes in progress")
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
            try? lent.value.setReadOnly(
                ReadOnlyMark(reason: "they move", now: Timestamp(microseconds: 1_800_000_000_000_000)))
            let found = try? lent.value.reading { try lent.value.store.projects().count }
            outcome.withLock { $0.found = found }
            marked.signal()
        }
        let waits = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = CAST('data_mark' AS regclass)"
        let deadline = ContinuousClock.now + .seconds(30)
        while try tables.integer(waits) == 0, ContinuousClock.now < deadline { usleep(1000) }
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

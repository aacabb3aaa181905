import Foundation
import HearthCatalog
import HearthConcurrency
import HearthStorage
import HearthStorageSQL
import Testing

@testable import HearthStoragePostgres
@testable import HearthStorageTestSupport

/// Servers over one database, each as its own store.
@Suite("Servers over one database", .enabled(if: TestDatabase.server != nil, "TEST_POSTGRES is not set"))
struct PostgresCoordinationTests {
    private let database: TestDatabase

    init() throws { database = try TestDatabase() }

    private func server() throws -> PostgresMetadataStore { try PostgresMetadataStore(database.configuration) }

    @Test("One server does a job, and when it ends another one takes over")
    func jobs() throws {
        var servers = [try server(), try server(), try server()]
        for job in ServerJob.allCases {
            try waitUntil("somebody does \(job)") { servers.contains { $0.coordination.holds(job) } }
            #expect(servers.count { $0.coordination.holds(job) } == 1)
        }
        while servers.count > 1 {
            servers.removeAll { $0.coordination.holds(.maintenance) }
            try waitUntil("another one does it") { servers.contains { $0.coordination.holds(.maintenance) } }
            #expect(servers.count { $0.coordination.holds(.maintenance) } == 1)
        }
    }

    @Test("A server whose session was ended by the database loses its jobs until it has a new session")
    func lostSession() throws {
        let server = try server()
        try waitUntil("it has its job") { server.coordination.holds(.rollouts) }
        let other = try PostgresMetadataStore(database.configuration)
        let session = try #require(try holder())
        try PostgresConnection(database.configuration).execute("SELECT pg_terminate_backend(\(session))")
        // A server that still believed in its old session would be a second one.
        try waitUntil("another session has it, and one server") {
            let now = try holder()
            return now != nil && now != session
                && server.coordination.holds(.rollouts) != other.coordination.holds(.rollouts)
        }
    }

    /// The session that does this job; nil if none does.
    private func holder() throws -> Int64? {
        try PostgresConnection(database.configuration).integer(
            """
            SELECT pid FROM pg_locks JOIN pg_stat_activity USING (pid)
            WHERE locktype = 'advisory' AND objid = \(ServerJob.rollouts.rawValue) AND granted
                AND application_name = '\(database.name)'
            """)
    }

    @Test("Servers add bytes at the same time, and none while one removes bytes")
    func blobLock() throws {
        let (first, second) = (try server(), try server())
        let order = Lock<[String]>([])
        let (inside, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let adder = Thread {
            try? first.coordination.withBlobs(.adding) {
                inside.signal()
                mayEnd.wait()
                order.withLock { $0.append("added") }
            }
        }
        adder.start()
        inside.wait()
        try second.coordination.withBlobs(.adding) { order.withLock { $0.append("added beside") } }
        let error = #expect(throws: StorageError.self) {
            try second.coordination.withBlobs(.removing) { order.withLock { $0.append("removed") } }
        }
        #expect(error?.code == .unavailable)
        mayEnd.signal()
        try waitUntil("the remover has its turn") {
            (try? second.coordination.withBlobs(.removing) { order.withLock { $0.append("removed") } }) != nil
        }
        #expect(order.withLock { $0 } == ["added beside", "added", "removed"])
    }

    /// A backup has the lock for a long time.
    @Test("A server that would remove bytes during a backup does not hold up those that add some")
    func removalDuringBackup() throws {
        let (first, second) = (try server(), try server())
        let backup = try PostgresTables(database.configuration)
        try backup.keepBlobs()
        let removal = Lock<StorageError.Code?>(nil)
        let ended = DispatchSemaphore(value: 0)
        Thread {
            do { try BlobStoreLock(servers: first.coordination).withLock(.removing) {} } catch {
                removal.withLock { $0 = (error as? StorageError)?.code }
            }
            ended.signal()
        }.start()
        var added = 0
        repeat {
            // Behind a remover that waits, an upload would wait too.
            #expect(try waitingLocks() == 0)
            try second.coordination.withBlobs(.adding) { added += 1 }
        } while ended.wait(timeout: .now() + .milliseconds(20)) == .timedOut
        #expect(added > 0)
        #expect(removal.withLock { $0 } == .unavailable)
        withExtendedLifetime(backup) {}
    }

    private func waitingLocks() throws -> Int64 {
        try PostgresConnection(database.configuration).integer(
            """
            SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid)
            WHERE locktype = 'advisory' AND NOT granted AND application_name = '\(database.name)'
            """) ?? 0
    }

    @Test("A validation belongs to one server, until it is released or its time is over")
    func claims() throws {
        let (first, second) = (try server(), try server())
        try first.write { try $0.put(Records.validation("hash", .pending)) }
        let (one, other) = (first.coordination, second.coordination)
        #expect(try one.claimValidation(of: "hash"))
        #expect(try one.claimValidation(of: "hash"), "it may ask again")
        #expect(try !other.claimValidation(of: "hash"))
        #expect(try other.validationsElsewhere() == ["hash"])
        #expect(try one.validationsElsewhere().isEmpty)
        one.releaseClaim(of: "hash")
        #expect(try other.claimValidation(of: "hash"))
        // As when the server that has it ended half a minute ago.
        try PostgresConnection(database.configuration).execute(
            "UPDATE validation_claim SET ends_at = ends_at - interval '40 seconds'")
        #expect(try one.validationsElsewhere().isEmpty)
        #expect(try one.claimValidation(of: "hash"))
        try other.renewClaims(of: ["hash"])
        #expect(try !other.claimValidation(of: "hash"), "a late renewal takes nothing back")
        try first.write { try $0.put(Records.validation("hash", .ok)) }
        one.releaseClaim(of: "hash")
        #expect(try !other.claimValidation(of: "hash"), "it has its verdict")
    }

    @Test("Of many that claim the same files at once, each file goes to one")
    func claimsAtOnce() throws {
        let servers = try (0..<4).map { _ in try server() }
        let hashes = (0..<20).map { "hash \($0)" }
        try servers[0].write { store in
            for hash in hashes { try store.put(Records.validation(hash, .pending)) }
        }
        let taken = Lock<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 4) { index in
            for hash in hashes where (try? servers[index].coordination.claimValidation(of: hash)) == true {
                taken.withLock { $0.append(hash) }
            }
        }
        // A claim may be skipped while another server holds the row for a moment, but no file goes to two.
        #expect(taken.withLock { $0.count } == Set(taken.withLock { $0 }).count)
    }
}

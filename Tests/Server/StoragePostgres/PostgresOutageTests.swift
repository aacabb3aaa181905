import Foundation
import HearthCatalog
import HearthConcurrency
import HearthStorage
import Testing

@testable import HearthStoragePostgres
@testable import HearthStorageSQL
@testable import HearthStorageTestSupport

/// A real PostgreSQL that does not answer: the row that the store asks for is locked.
@Suite("PostgreSQL that does not answer", .enabled(if: TestDatabase.server != nil, "TEST_POSTGRES is not set"))
struct PostgresOutageTests {
    private let database: TestDatabase

    init() throws {
        database = try TestDatabase()
        // A busy machine may well take seconds to answer.
        try open(answerSeconds: 60).write { try $0.insert(Records.project("project-a", number: 1)) }
    }

    private func open(answerSeconds: Int) throws -> PostgresMetadataStore {
        var configuration = try database.configuration
        configuration.answerSeconds = answerSeconds
        configuration.pollSeconds = 0.2
        return try PostgresMetadataStore(configuration)
    }

    /// Runs `body` while every question for the revision waits.
    private func whileFrozen(_ body: () throws -> Void) throws {
        let holder = try PostgresConnection(database.configuration)
        try holder.begin("BEGIN")
        try holder.execute("LOCK TABLE serving IN ACCESS EXCLUSIVE MODE")
        defer { holder.rollback() }
        try body()
    }

    @Test("Calls in progress end, the next ones are refused at once, and all is well when it answers again")
    func frozen() throws {
        let store = try open(answerSeconds: 1)
        let ended = Lock<StorageError.Code?>(nil)
        let thread = Thread {
            do {
                try store.read { reader in
                    // Longer than the test would wait.
                    _ = try (reader as? SQLSession)?.connection.run("SELECT pg_sleep(300)")
                }
            } catch {
                ended.withLock { $0 = (error as? StorageError)?.code }
            }
        }
        try whileFrozen {
            thread.start()
            try waitUntil("the store notices") { store.contact?.isAnswering == false }
            try waitUntil("the call in progress ends") { ended.withLock { $0 } != nil }
            #expect(ended.withLock { $0 } == .unavailable)
            #expect(code { _ = try store.read { try $0.projects() } } == .unavailable)
            #expect(code { try store.write { try $0.insert(Records.model(1, "flowers")) } } == .unavailable)
            #expect(code { try store.coordination.withBlobs(.adding) {} } == .unavailable)
            try waitUntil("the age grows") { (store.contact?.ageMicroseconds ?? 0) > 2_000_000 }
        }
        // On a busy machine it may be taken for away once more.
        try waitUntil("it writes again") {
            (try? store.write { try $0.insert(Records.model(1, "flowers")) }) != nil
        }
        try waitUntil("it reads again") {
            (try? store.read { try $0.model(id: 1, project: "project-a") }) == Records.model(1, "flowers")
        }
        try waitUntil("the age is small") { (store.contact?.ageMicroseconds ?? .max) < 1_000_000 }
    }

    @Test("A session that ends is no sign that the database is away")
    func endedSession() throws {
        let store = try open(answerSeconds: 60)
        let wasAway = Lock(false)
        let isOver = Lock(false)
        let watcher = Thread {
            while !isOver.withLock({ $0 }) {
                if store.contact?.isAnswering == false { wasAway.withLock { $0 = true } }
                usleep(500)
            }
        }
        watcher.start()
        for _ in 0..<5 {
            try PostgresConnection(database.configuration).execute(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE pid <> pg_backend_pid() AND application_name = '\(database.name)'
                """)
            let end = ContinuousClock.now
            #expect(try store.read { try $0.projects().count } == 1)
            // Otherwise several sessions in a row may end before the database says anything.
            try waitUntil("it has answered in a new session") {
                try #require(store.contact).ageMicroseconds < Int64((ContinuousClock.now - end) / .microseconds(1))
            }
        }
        isOver.withLock { $0 = true }
        #expect(!wasAway.withLock { $0 })
    }
}

import Foundation
import HearthCatalog
import HearthConcurrency
import HearthStorage
import HearthTestSupport
import Testing

@testable import HearthStoragePostgres
@testable import HearthStorageSQL
@testable import HearthStorageTestSupport

/// What PostgreSQL does in its own way.
@Suite("PostgreSQL", .enabled(if: TestDatabase.server != nil, "TEST_POSTGRES is not set"))
struct PostgresStoreTests {
    private let database: TestDatabase
    private let store: PostgresMetadataStore

    init() throws {
        database = try TestDatabase()
        store = try PostgresMetadataStore(database.configuration)
        try store.write { try $0.insert(Records.project("project-a", number: 1)) }
    }

    /// Runs SQL on a connection of its own.
    private func run(_ sql: String) throws { try PostgresConnection(database.configuration).execute(sql) }

    private func count(_ sql: String) throws -> Int64 {
        try PostgresConnection(database.configuration).integer(sql) ?? 0
    }

    /// Ends the sessions of this test's store, as a restart of the server does.
    private func endSessions(_ condition: String = "true") throws {
        try run(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE pid <> pg_backend_pid() AND application_name = '\(database.name)' AND (\(condition))
            """)
    }

    @Test("Two servers share the data, and hear of each other's changes")
    func sharing() throws {
        let other = try PostgresMetadataStore(database.configuration)
        #expect(other.folderID == store.folderID)
        let before = other.servingRevision
        try store.write { try $0.insert(Records.model(1, "flowers")) }
        try waitUntil("the other server knows") { other.servingRevision > before }
        #expect(try other.read { try $0.model(id: 1, project: "project-a") } == Records.model(1, "flowers"))
    }

    @Test("A change that devices do not see does not make servers read again")
    func unservedChange() throws {
        let before = store.servingRevision
        try store.write { try $0.insert(Records.installation("a")) }
        #expect(store.servingRevision == before)
    }

    @Test("Without notifications, a server asks")
    func polling() throws {
        let other = try PostgresMetadataStore(database.configuration)
        let before = other.servingRevision
        try run("UPDATE serving SET revision = revision + 1")
        try waitUntil("the other server knows") { other.servingRevision == before + 1 }
    }

    @Test("Writers of two servers lose no update, and each result is that of taking turns")
    func serializable() throws {
        let stores = [store, try PostgresMetadataStore(database.configuration)]
        let ids = Lock<[Int64]>([])
        let errors = Lock<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { index in
            for _ in 0..<10 {
                do {
                    let id = try stores[index % 2].write { store in
                        // Reads, then writes what depends on it.
                        let number = try store.models(project: "project-a", after: 0, limit: 1000).count
                        let id = try store.nextModelID()
                        try store.insert(Records.model(id, "model \(number)"))
                        return id
                    }
                    ids.withLock { $0.append(id) }
                } catch {
                    errors.withLock { $0.append("\(error)") }
                }
            }
        }
        #expect(errors.withLock { $0 } == [])
        #expect(Set(ids.withLock { $0 }).count == 80)
        let names = try store.read { try $0.models(project: "project-a", after: 0, limit: 1000).map(\.displayName) }
        #expect(Set(names) == Set((0..<80).map { "model \($0)" }))
    }

    @Test("Registrations on many connections are all counted")
    func installationCount() throws {
        DispatchQueue.concurrentPerform(iterations: 4) { index in
            for number in 0..<25 {
                try? store.write { try $0.insert(Records.installation("\(index)-\(number)")) }
            }
        }
        #expect(try count("SELECT count(*) FROM installation") == 100)
        #expect(try store.read { try $0.installationCount(project: "project-a") } == 100)
        try store.write { try $0.delete(Records.installation("0-0")) }
        #expect(try store.read { try $0.installationCount(project: "project-a") } == 99)
    }

    @Test("A refused registration is not counted")
    func refusedRegistration() throws {
        try store.write { try $0.insert(Records.installation("a")) }
        #expect(code { try store.write { try $0.insert(Records.installation("a")) } } == .conflict)
        #expect(try store.read { try $0.installationCount(project: "project-a") } == 1)
    }

    @Test("Sessions that the server has ended are replaced, and no call notices")
    func endedSessions() throws {
        _ = try store.read { try $0.projects() }
        try endSessions()
        #expect(try store.read { try $0.projects().count } == 1)
        try store.write { try $0.insert(Records.model(1, "flowers")) }
        try endSessions()
        try store.write { try $0.insert(Records.model(2, "birds")) }
        #expect(try store.read { try $0.models(project: "project-a", after: 0, limit: 9).count } == 2)
    }

    @Test("A session that ends in the middle of a write: the write is repeated as a whole")
    func endedInTheMiddle() throws {
        var attempts = 0
        try store.write { store in
            attempts += 1
            try store.insert(Records.model(1, "flowers"))
            if attempts == 1 {
                try endSessions("state = 'idle in transaction'")
            }
            try store.append(Records.entry("once"))
        }
        #expect(attempts == 2)
        #expect(try store.read { try $0.audit(project: "project-a", before: nil, limit: 9).count } == 1)
    }

    @Test("The answer to a commit is lost, and the transaction was undone: the write is repeated")
    func lostCommitThatFailed() throws {
        // Waits inside the first commit.
        try run(
            """
            CREATE TABLE gate (is_open BOOLEAN); INSERT INTO gate VALUES (false);
            CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                IF NOT (SELECT is_open FROM gate) THEN PERFORM pg_sleep(60); END IF; RETURN NULL; END $$;
            CREATE CONSTRAINT TRIGGER waiting AFTER INSERT ON model DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW EXECUTE FUNCTION wait()
            """)
        let ender = Thread {
            do {
                try waitUntil("it commits") {
                    try count("SELECT count(*) FROM pg_stat_activity WHERE query = 'COMMIT' AND wait_event = 'PgSleep'")
                        > 0
                }
                try run("UPDATE gate SET is_open = true")
                try run(
                    """
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE query = 'COMMIT' AND wait_event = 'PgSleep'
                    """)
            } catch { Issue.record(error) }
        }
        ender.start()
        var attempts = 0
        try store.write { store in
            attempts += 1
            try store.insert(Records.model(1, "flowers"))
        }
        #expect(attempts == 2)
        #expect(try store.read { try $0.model(id: 1, project: "project-a") } != nil)
    }

    @Test("The answer to a commit is lost, and the transaction was stored: the write is not repeated")
    func lostCommitThatHeld() throws {
        // Once armed, it passes the next COMMIT on, and ends instead of its answer.
        let isArmed = Lock(false)
        let relay = try DatabaseRelay(to: database) { client, server in
            var isCommitting = false
            client.exchange(with: server) { piece, isAnswer in
                if !isAnswer, piece.firstRange(of: Array("COMMIT".utf8)) != nil {
                    isCommitting = isArmed.withLock { armed in
                        defer { armed = false }
                        return armed
                    }
                }
                return isAnswer && isCommitting ? nil : piece
            }
        }
        defer { withExtendedLifetime(relay) {} }
        let store = try PostgresMetadataStore(PostgresConfiguration(url: relay.url))
        isArmed.withLock { $0 = true }
        var attempts = 0
        try store.write { store in
            attempts += 1
            try store.append(Records.entry("once"))
        }
        #expect(!isArmed.withLock { $0 }, "a commit was cut")
        #expect(attempts == 1)
        #expect(try store.read { try $0.audit(project: "project-a", before: nil, limit: 9).count } == 1)
    }

    @Test("The answer to a commit is lost while the commit goes on: the write waits for its end, and is not repeated")
    func lostCommitThatGoesOn() throws {
        // Each commit waits for this lock.
        let lock = "pg_advisory_xact_lock(hashtext(current_schema()))"
        try run(
            """
            CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM \(lock); RETURN NULL; END $$;
            CREATE CONSTRAINT TRIGGER waiting AFTER INSERT ON audit DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW EXECUTE FUNCTION wait()
            """)
        let isHeld = DispatchSemaphore(value: 0)
        let isArmed = Lock(false)
        let relay = try DatabaseRelay(to: database) { client, server in
            client.exchange(with: server) { piece, isAnswer in
                guard !isAnswer, piece.firstRange(of: Array("COMMIT".utf8)) != nil,
                    isArmed.withLock({ armed in
                        defer { armed = false }
                        return armed
                    })
                else { return piece }
                server.write(piece)
                return nil
            }
        }
        defer { withExtendedLifetime(relay) {} }
        var configuration = try PostgresConfiguration(url: relay.url)
        (configuration.lockSeconds, configuration.statementSeconds) = (60, 60)
        let store = try PostgresMetadataStore(configuration)
        let holder = Thread {
            defer { isHeld.signal() }
            do {
                let connection = try PostgresConnection(database.configuration)
                try connection.execute("BEGIN; SELECT \(lock)")
                isHeld.signal()
                try waitUntil("the store asks what became of it") {
                    try count(
                        """
                        SELECT count(*) FROM pg_stat_activity WHERE application_name = '\(database.name)'
                            AND query LIKE '%pg_xact_status%' AND query NOT LIKE '%count(*)%'
                        """) > 0
                }
                try connection.execute("ROLLBACK")
            } catch { Issue.record(error) }
        }
        holder.start()
        isHeld.wait()
        isArmed.withLock { $0 = true }
        var attempts = 0
        try store.write { store in
            attempts += 1
            try store.append(Records.entry("once"))
        }
        #expect(!isArmed.withLock { $0 }, "a commit was cut")
        #expect(attempts == 1)
        #expect(try store.read { try $0.audit(project: "project-a", before: nil, limit: 9).count } == 1)
    }

    @Test("A text that PostgreSQL cannot store is refused with that reason")
    func invalidText() throws {
        #expect(code { try store.write { try $0.append(Records.entry("a\0b")) } } == .invalidText)
        try store.write { try $0.append(Records.entry("ab")) }
    }

    @Test("A statement that takes too long ends, and the server can be used again")
    func slowStatement() throws {
        var configuration = try database.configuration
        configuration.statementSeconds = 1
        let store = try PostgresMetadataStore(configuration)
        let found = code {
            try store.read { reader in
                let session = try #require(reader as? SQLSession)
                try session.connection.run("SELECT pg_sleep(30)")
            }
        }
        #expect(found == .unavailable)
        #expect(try store.read { try $0.projects().count } == 1)
    }

    @Test("When all connections are in use, a caller waits for a while and is refused")
    func crowdedPool() throws {
        var configuration = try database.configuration
        configuration.readers = 1
        configuration.waitSeconds = 0
        let store = try PostgresMetadataStore(configuration)
        let found = code { try store.read { _ in try store.read { _ = try $0.projects() } } }
        #expect(found == .unavailable)
        #expect(try store.read { try $0.projects().count } == 1)
    }
}

@Suite("PostgreSQL that is not there")
struct PostgresRefusalTests {
    @Test("A database that cannot be reached is said to be so, without the password")
    func unreachable() throws {
        let configuration = try PostgresConfiguration(
            url: "postgresql://ann:secret-word@127.0.0.1:1/hearth?connect_timeout=2")
        let error = try #require(failure { _ = try PostgresMetadataStore(configuration) })
        #expect(error.code == .unavailable)
        #expect(error.message.contains("the database 'hearth' at 127.0.0.1:1"))
        #expect(!"\(error)".contains("secret-word"))
    }

    @Test(
        "What is no URL of a database is refused, without the password",
        arguments: [
            "mysql://localhost/x", "postgresql://ann:secret-word@[::1/hearth", "postgresql://h/db?nonsense=secret-word",
            "",
        ])
    func noURL(url: String) throws {
        let error = try #require(failure { _ = try PostgresConfiguration(url: url) })
        #expect(!error.message.contains("secret-word"))
    }

    @Test("After a failed attempt, the next callers are refused at once, without an attempt of their own")
    func refusedAtOnce() throws {
        let attempts = Lock(0)
        let connector = PostgresConnector { () throws(StorageError) in
            attempts.withLock { $0 += 1 }
            throw StorageError(.unavailable, "away")
        }
        for _ in 0..<3 { #expect(failure { _ = try connector.connect() }?.message == "away") }
        #expect(attempts.withLock { $0 } == 1)
        try waitUntil("it tries again") {
            _ = try? connector.connect()
            return attempts.withLock { $0 } == 2
        }
    }

    @Test(
        "Parameters get PostgreSQL's names",
        arguments: [
            ("SELECT ?", "SELECT $1"), ("a = ? AND b = ?", "a = $1 AND b = $2"),
            ("a = ?2 OR a = ?1", "a = $2 OR a = $1"),
            ("?12", "$12"), ("none", "none"),
        ])
    func parameterNames(sql: String, numbered: String) {
        #expect(PostgresParameters.numbered(sql) == numbered)
    }
}

@Suite("PostgreSQL's schema", .enabled(if: TestDatabase.server != nil, "TEST_POSTGRES is not set"))
struct PostgresSchemaTests {
    private let database: TestDatabase

    init() throws { database = try TestDatabase() }

    private func run(_ sql: String) throws { try PostgresConnection(database.configuration).execute(sql) }

    @Test("Servers that start at once make the tables once")
    func startsAtOnce() throws {
        let configuration = try database.configuration
        let ids = Lock<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            do {
                let store = try PostgresMetadataStore(configuration)
                ids.withLock { $0.append(store.folderID) }
            } catch { Issue.record(error) }
        }
        #expect(ids.withLock { $0.count } == 4 && Set(ids.withLock { $0 }).count == 1)
    }

    @Test("A database that was upgraded by one step can be used, and one that was upgraded beyond cannot")
    func newerSchema() throws {
        _ = try PostgresMetadataStore(database.configuration)
        let known = PostgresSchema.steps.count
        try run("INSERT INTO hearth_schema (step, oldest_program) VALUES (\(known + 1), \(known))")
        _ = try PostgresMetadataStore(database.configuration)
        try run("INSERT INTO hearth_schema (step, oldest_program) VALUES (\(known + 2), \(known + 1))")
        let error = try #require(failure { _ = try PostgresMetadataStore(database.configuration) })
        #expect(error.code == .newer)
        #expect(error.message.contains("schema \(known + 2)"))
    }

    @Test("Each step leaves the database usable for the program before it")
    func steps() {
        for (index, step) in PostgresSchema.steps.enumerated() { #expect(step.oldestProgram <= max(index, 1)) }
    }
}

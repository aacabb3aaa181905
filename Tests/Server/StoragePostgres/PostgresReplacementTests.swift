import Foundation
import HearthCatalog
import HearthConcurrency
import HearthStorage
import HearthStorageSQL
import HearthTestSupport
import Testing

@testable import HearthStoragePostgres
@testable import HearthStorageTestSupport

/// Two servers over a database that becomes another one while they run, as after a restore, or when a copy that lacks the
/// last changes takes over.
@Suite(
    "A database that is another one than before", .enabled(if: TestDatabase.server != nil, "TEST_POSTGRES is not set"))
struct PostgresReplacementTests {
    private let database: TestDatabase
    private let (one, two): (PostgresMetadataStore, PostgresMetadataStore)

    init() throws {
        database = try TestDatabase()
        (one, two) = (
            try PostgresMetadataStore(database.configuration), try PostgresMetadataStore(database.configuration)
        )
        try one.write { try $0.insert(Records.project("project-a", number: 1)) }
        for id in 1...5 { try change(Int64(id)) }
        for store in [one, two] { _ = try store.currentServingRevision() }
    }

    private func change(_ id: Int64) throws { try one.write { try $0.insert(Records.model(id, "model-\(id)")) } }

    private func run(_ sql: String) throws { try PostgresConnection(database.configuration).execute(sql) }

    private var stored: Int64 {
        get throws {
            try PostgresConnection(database.configuration).integer("SELECT revision FROM serving") ?? 0
        }
    }

    @Test(
        "Each server notices a database that went back, that is as far on another way, or further, and obeys it",
        arguments: [Int64(-3), 0, 7])
    func replaced(difference: Int64) throws {
        let known = try stored
        let before = [one, two].map(\.servingRevision)
        // A state of four changes ago, and what was changed since.
        try run(
            """
            UPDATE serving SET revision = revision - 4;
            UPDATE serving SET revision = revision + \(4 + difference)
            """)
        for (store, before) in zip([one, two], before) {
            try waitUntil("it notices") { store.replacement != nil }
            #expect(store.servingRevision > before, "everything is read again")
            let replacement = try #require(store.replacement)
            #expect((replacement.knownRevision, replacement.foundRevision) == (known, known + difference))
        }
        for id in 11...13 {
            let before = two.servingRevision
            try change(Int64(id))
            try waitUntil("the other server hears of the change") { two.servingRevision > before }
        }
        #expect([one, two].map { $0.replacement?.count } == [1, 1], "it is said once")
    }

    @Test("A server notices it also when its own change is the first that it sees of the other database")
    func ownChange() throws {
        try run("UPDATE serving SET revision = revision - 4")
        let before = one.servingRevision
        try change(11)
        #expect(one.servingRevision > before)
        for store in [one, two] { try waitUntil("it notices") { store.replacement != nil } }
    }

    @Test("Changes of any servers, also of those that only raise the number, make no other database")
    func changes() throws {
        let stores = [one, two]
        let first = try stored
        DispatchQueue.concurrentPerform(iterations: 4) { index in
            for number in 0..<10 {
                do {
                    try stores[index % 2].write {
                        try $0.insert(Records.model(Int64(100 + index * 100 + number), "model-\(index)-\(number)"))
                    }
                    _ = try stores[(index + 1) % 2].currentServingRevision()
                    if number % 3 == 0 { try run("UPDATE serving SET revision = revision + 1") }
                } catch { Issue.record(error) }
            }
        }
        #expect(try stored == first + 56)
        for store in stores {
            _ = try store.currentServingRevision()
            #expect(store.replacement == nil)
        }
    }

    /// Nobody needs a right for that.
    @Test(
        "What a stranger's notification says is believed by no server",
        arguments: [
            "9223372036854775807", "18446744073709551615", "99999999999999999999999", "1000000", "1", "0", "-1", "",
            "no number",
            String(repeating: "9", count: 7999),
        ])
    func forged(payload: String) throws {
        let role = try TestRole()
        let stranger = try PostgresConnection(role.configuration)
        #expect(failure { try stranger.execute("SELECT revision FROM \(database.name).serving") } != nil)
        try stranger.execute("SELECT pg_notify('\(two.changes.channel)', '\(payload)')")
        let asked = two.changes.questionCount
        try waitUntil("it has woken the server") { two.changes.questionCount > asked + 1 }
        let before = two.servingRevision
        try change(11)
        try waitUntil("the server hears of a change all the same") { two.servingRevision > before }
        #expect(two.replacement == nil)
    }

    @Test("Many notifications cause few questions, and nothing is read again")
    func flood() throws {
        let role = try TestRole()
        let stranger = try PostgresConnection(role.configuration)
        let (start, asked, revision) = (ContinuousClock.now, two.changes.questionCount, two.servingRevision)
        for number in 0..<2000 {
            try stranger.execute("SELECT pg_notify('\(two.changes.channel)', '\(number)')")
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let most = seconds / (PostgresListener.pause / .seconds(1)) + 2
        #expect(Double(two.changes.questionCount - asked) <= most)
        #expect(two.servingRevision == revision)
    }

    @Test("A database with the data of other servers counts as away until the right one is back")
    func otherData() throws {
        try run("UPDATE folder SET id = 'f' || id")
        try waitUntil("the server leaves it alone") { two.contact?.isAnswering == false }
        #expect(code { try two.write { try $0.insert(Records.model(11, "model-11")) } } == .unavailable)
        try run("UPDATE folder SET id = substr(id, 2)")
        try waitUntil("it is back") { two.contact?.isAnswering == true }
        #expect(two.replacement == nil)
    }

    /// The number of a transaction names another one there.
    @Test("A commit whose answer was lost is not looked up in another database")
    func lostCommit() throws {
        let (store, arm) = try cutStore { try run("UPDATE serving SET revision = revision - 2") }
        arm()
        let error = failure { try store.write { try $0.append(Records.entry("once")) } }
        #expect(
            error?.code == .unavailable && error?.message.contains("unknown whether") == true,
            "\(String(describing: error))")
        #expect(store.replacement != nil)
    }

    /// The copy has all that this server had heard of. It has given the transaction's number to one of its own, or not yet to
    /// any.
    @Test(
        "A change whose commit lost its answer and that a promoted copy lacks is made again there",
        arguments: [true, false])
    func lostCommitAndChange(hasNumber: Bool) throws {
        // The first commit takes back what its transaction did, and is stored.
        try run(
            """
            CREATE TABLE gate (is_open BOOLEAN); INSERT INTO gate VALUES (false);
            CREATE FUNCTION take_back() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                IF (SELECT is_open FROM gate) THEN RETURN NULL; END IF;
                UPDATE gate SET is_open = true;
                DELETE FROM model WHERE id = NEW.id;
                DELETE FROM serving_mark WHERE revision = (SELECT revision FROM serving);
                DELETE FROM serving;
                INSERT INTO serving (revision, mark) SELECT revision, mark FROM serving_mark ORDER BY revision DESC LIMIT 1;
                RETURN NULL; END $$;
            CREATE CONSTRAINT TRIGGER taking_back AFTER INSERT ON model DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW EXECUTE FUNCTION take_back()
            """)
        // The store believes that its transactions have a number that the database will not reach.
        if !hasNumber {
            try run(
                """
                CREATE FUNCTION pg_current_xact_id_if_assigned() RETURNS xid8 LANGUAGE sql AS
                    $$ SELECT CAST('9000000000000000' AS xid8) $$
                """)
        }
        let (store, arm) = try cutStore(prefersOwnFunctions: !hasNumber) {}
        arm()
        var attempts = 0
        try store.write { store in
            attempts += 1
            try store.insert(Records.model(11, "model-11"))
        }
        #expect(attempts == 2)
        #expect(try store.read { try $0.model(id: 11, project: "project-a") } != nil, "what was reported is there")
        #expect(store.replacement == nil)
    }

    /// The listener asks rarely, and nobody wakes it.
    @Test("A server notices that a copy lacks a change which it has read, and of which it had not heard before")
    func readBeforeHeard() throws {
        var configuration = try database.configuration
        configuration.pollSeconds = 20
        let store = try PostgresMetadataStore(configuration)
        try waitUntil("it listens") { store.changes.questionCount > 0 }
        try run("UPDATE serving SET revision = revision + 1")
        let known = try stored
        #expect(try store.readServed { try $0.projects().count } == 1)
        try run(
            """
            DELETE FROM serving_mark WHERE revision = (SELECT revision FROM serving);
            DELETE FROM serving;
            INSERT INTO serving (revision, mark) SELECT revision, mark FROM serving_mark ORDER BY revision DESC LIMIT 1
            """)
        _ = try store.currentServingRevision()
        let replacement = try #require(store.replacement)
        #expect((replacement.knownRevision, replacement.foundRevision) == (known, known - 1))
    }

    @Test("What is read as news is news once")
    func readNews() throws {
        var configuration = try database.configuration
        configuration.pollSeconds = 20
        let store = try PostgresMetadataStore(configuration)
        try waitUntil("it listens") { store.changes.questionCount > 0 }
        let before = try store.currentServingRevision()
        try run("UPDATE serving SET revision = revision + 1")
        _ = try store.readServed { try $0.projects() }
        #expect(store.servingRevision == before + 1)
        _ = try store.readServed { try $0.projects() }
        #expect(try store.currentServingRevision() == before + 1)
    }

    /// A store behind a relay. Once armed, the relay passes the next COMMIT on, then calls `lose`, and ends instead of the
    /// answer.
    ///
    /// - Parameter prefersOwnFunctions: whether the store calls functions of the test's schema in place of PostgreSQL's.
    private func cutStore(
        prefersOwnFunctions: Bool = false, lose: @escaping @Sendable () throws -> Void
    ) throws -> (store: PostgresMetadataStore, arm: () -> Void) {
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
                guard isAnswer, isCommitting else { return piece }
                do { try lose() } catch { Issue.record(error) }
                return nil
            }
        }
        let path = "search_path%3D\(database.name)"
        let url = prefersOwnFunctions ? relay.url.replacingOccurrences(of: path, with: path + ",pg_catalog") : relay.url
        let store = try PostgresMetadataStore(PostgresConfiguration(url: url))
        return (store, { withExtendedLifetime(relay) { isArmed.withLock { $0 = true } } })
    }
}

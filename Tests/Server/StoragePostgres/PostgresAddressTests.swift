import Foundation
import HearthCatalog
import HearthConcurrency
import HearthStorage
import HearthStorageSQL
import HearthTestSupport
import Testing

@testable import HearthStoragePostgres
@testable import HearthStorageTestSupport

/// A server's address of the database leads to a copy from some moment on, and the former database lives on for those who are
/// connected to it.
@Suite("Two databases at one address", .enabled(if: TestDatabase.server != nil, "TEST_POSTGRES is not set"))
struct PostgresAddressTests {
    private let (former, copy): (TestDatabase, TestDatabase)
    private let address: Address
    private let relay: DatabaseRelay
    private let store: PostgresMetadataStore

    /// Where new connections lead.
    private final class Address: Sendable {
        private let name: Lock<String>

        init(_ database: TestDatabase) { name = Lock(database.name) }

        var target: String { name.withLock { $0 } }

        func lead(to database: TestDatabase) { name.withLock { $0 = database.name } }
    }

    init() throws {
        let (former, copy) = (try TestDatabase(), try TestDatabase())
        (self.former, self.copy) = (former, copy)
        let address = Address(former)
        self.address = address
        // The name of the database is in the first bytes of a connection. All such names have the same length.
        relay = try DatabaseRelay(to: former) { client, server in
            let target = Array(address.target.utf8)
            client.exchange(with: server) { piece, isAnswer in
                isAnswer ? piece : piece.replacing(Array(former.name.utf8), with: target)
            }
        }
        var configuration = try PostgresConfiguration(url: relay.url)
        configuration.pollSeconds = 0.1
        store = try PostgresMetadataStore(configuration)
        try store.write { try $0.insert(Records.project("project-a", number: 1)) }
        // Of the copy it matters only that it has the data of the same servers, and lacks a change.
        let connection = try PostgresConnection(copy.configuration)
        try PostgresSchema.migrate(connection)
        try connection.execute("UPDATE folder SET id = '\(store.folderID)'")
    }

    /// From now on new connections lead to the copy, and the server's first one has led there.
    private func move() throws {
        address.lead(to: copy)
        _ = try store.currentServingRevision()
    }

    private func projects(_ database: TestDatabase) throws -> [String] {
        try PostgresConnection(database.configuration).texts("SELECT id FROM project ORDER BY id")
    }

    /// The sessions in the database of those who are connected by the address, and so of the server.
    private func sessions(_ database: TestDatabase, _ condition: String) throws -> Int64 {
        try PostgresConnection(PostgresConfiguration(url: #require(TestDatabase.server))).integer(
            "SELECT count(*) FROM pg_stat_activity WHERE application_name = '\(database.name)' AND \(condition)"
        ) ?? 0
    }

    private static let hasJob = """
        EXISTS (SELECT FROM pg_locks WHERE pg_locks.pid = pg_stat_activity.pid AND locktype = 'advisory' AND granted
            AND objid = \(ServerJob.rollouts.rawValue))
        """

    @Test("When one connection has led to the copy, the server leaves the former database, also with its jobs")
    func moved() throws {
        try waitUntil("it has its job") { try sessions(former, Self.hasJob) == 1 }
        try move()
        try waitUntil("it has the job in the copy") {
            try sessions(copy, Self.hasJob) == 1 && store.coordination.holds(.rollouts)
        }
        try waitUntil("it has no session in the former database") { try sessions(former, "true") == 0 }
        try store.write { try $0.insert(Records.project("project-b", number: 2)) }
        #expect(try projects(former) == ["project-a"] && projects(copy) == ["project-b"])
        let asked = store.changes.questionCount
        try waitUntil("it has asked several times") { store.changes.questionCount > asked + 5 }
        #expect(store.replacement?.count == 1, "it does not go back and forth")
    }

    @Test("A change that has begun in the former database is made in the copy")
    func changeInProgress() throws {
        var attempts = 0
        try store.write { writer in
            attempts += 1
            if attempts == 1 { try move() }
            try writer.insert(Records.project("project-b", number: 2))
        }
        #expect(attempts == 2)
        #expect(try projects(former) == ["project-a"] && projects(copy) == ["project-b"])
    }

    @Test("Who reads in the former database when it is left reads in the copy")
    func readInProgress() throws {
        var attempts = 0
        let found = try store.read { reader in
            attempts += 1
            if attempts == 1 { try move() }
            return try reader.projects().map(\.id)
        }
        #expect(attempts == 2)
        #expect(found.isEmpty)
    }
}

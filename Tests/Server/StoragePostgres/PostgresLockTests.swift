import Foundation
import HearthCatalog
import HearthConcurrency
import HearthStorage
import HearthStorageSQL
import HearthTestSupport
import Testing

@testable import HearthStoragePostgres
@testable import HearthStorageTestSupport

/// A role that has no right to any table can take the locks of servers: their numbers are in `pg_locks`.
@Suite("Locks in the hands of strangers", .enabled(if: TestDatabase.server != nil, "TEST_POSTGRES is not set"))
struct PostgresLockTests {
    private let database: TestDatabase
    private let role: TestRole

    init() throws { (database, role) = (try TestDatabase(), try TestRole()) }

    private func server() throws -> PostgresMetadataStore {
        var configuration = try database.configuration
        (configuration.pollSeconds, configuration.lockLookSeconds, configuration.lockSeconds) = (0.1, 0.1, 1)
        return try PostgresMetadataStore(configuration)
    }

    @Test("Servers say which role has a job, and do it when that role's session ends")
    func job() throws {
        let jobLock = [
            try PostgresCoordination.blobLock(of: server().folderID)[0], .integer(Int64(ServerJob.rollouts.rawValue)),
        ]
        let stranger = try PostgresConnection(role.configuration)
        // As soon as the server that has just ended gives it up.
        try stranger.run("SELECT pg_advisory_lock(?, ?)", jobLock)
        let servers = [try server(), try server()]
        for server in servers {
            try waitUntil("it knows") { server.coordination.lockProblems.map(\.subject) == [.job(.rollouts)] }
            let problem = try #require(server.coordination.lockProblems.first)
            #expect(problem.holder?.role == role.name)
            #expect(problem.report.contains("'\(role.name)'") && problem.report.contains("'rollouts'"))
            #expect(!problem.summary.contains(role.name), "everyone can read that")
        }
        try PostgresConnection(database.configuration).execute(
            "SELECT pg_terminate_backend(\(try #require(servers[0].coordination.lockProblems.first?.holder?.session)))")
        try waitUntil("a server does the job") { servers.contains { $0.coordination.holds(.rollouts) } }
        for server in servers { try waitUntil("nothing is wrong") { server.coordination.lockProblems.isEmpty } }
    }

    /// `/readyz` and metrics do, on threads of the HTTP server.
    @Test("Whoever wants to know what is wrong does not wait for the database that is being asked")
    func askedMeanwhile() throws {
        let (isAsked, mayAnswer) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let relay = try DatabaseRelay(to: database) { client, server in
            client.exchange(with: server) { piece, isAnswer in
                if !isAnswer, piece.firstRange(of: Array("pg_locks".utf8)) != nil {
                    isAsked.signal()
                    mayAnswer.wait()
                }
                return piece
            }
        }
        defer { withExtendedLifetime(relay) { _ = mayAnswer.signal() } }
        var configuration = try PostgresConfiguration(url: relay.url)
        configuration.answerSeconds = 120
        let store = try PostgresMetadataStore(configuration)
        try #require(isAsked.wait(timeout: .now() + 20) == .success)
        let isTold = Lock(false)
        Thread {
            _ = store.coordination.lockProblems
            isTold.withLock { $0 = true }
        }.start()
        try waitUntil("it is told") { isTold.withLock { $0 } }
    }

    @Test("The servers' own locks are no problem")
    func own() throws {
        let servers = [try server(), try server()]
        try waitUntil("all jobs are done") {
            ServerJob.allCases.allSatisfy { job in servers.contains { $0.coordination.holds(job) } }
        }
        let looks = servers.map(\.changes.questionCount)
        try waitUntil("each has looked several times") {
            zip(servers, looks).allSatisfy { $0.changes.questionCount > $1 + 5 }
        }
        for server in servers { #expect(server.coordination.lockProblems.isEmpty) }
    }

    @Test("An upload that waits in vain says whose session has the lock", arguments: [false, true])
    func upload(onlyWaits: Bool) throws {
        let server = try server()
        let lock = PostgresCoordination.blobLock(of: server.folderID)
        let backup = try PostgresTables(database.configuration)
        // Others queue behind one who waits.
        if onlyWaits { try backup.keepBlobs() }
        var configuration = role.configuration
        (configuration.lockSeconds, configuration.statementSeconds) = (60, 60)
        let isOver = DispatchSemaphore(value: 0)
        Thread { [configuration] in
            let stranger = try? PostgresConnection(configuration)
            _ = try? stranger?.run("SELECT pg_advisory_lock(?, ?)", lock)
            isOver.wait()
            withExtendedLifetime(stranger) {}
        }.start()
        defer { isOver.signal() }
        try waitUntil("it knows") { server.coordination.lockProblems.map(\.subject) == [.modelFiles] }
        let error = failure { try server.coordination.withBlobs(.adding) {} }
        #expect(error?.code == .locked)
        #expect(error?.message.contains("'\(role.name)'") == true)
        try PostgresConnection(database.configuration).execute(
            "SELECT pg_terminate_backend(\(try #require(server.coordination.lockProblems.first?.holder?.session)))")
        try waitUntil("uploads succeed") { (try? server.coordination.withBlobs(.adding) {}) != nil }
        try waitUntil("nothing is wrong") { server.coordination.lockProblems.isEmpty }
        withExtendedLifetime(backup) {}
    }

    @Test("The store says what to run if every role may connect")
    func access() throws {
        let server = try server()
        let name = try PostgresConnection(database.configuration).text("SELECT current_database()")
        // The tests' database is open to every role.
        #expect(
            try server.accessAdvice()?.contains("REVOKE CONNECT ON DATABASE \(try #require(name)) FROM PUBLIC") == true)
    }
}

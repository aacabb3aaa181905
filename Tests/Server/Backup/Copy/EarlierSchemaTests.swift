import HearthStorage
import HearthStorageSQL
import HearthStorageTestSupport
import HearthTestSupport
import Testing

@testable import HearthBackup
@testable import HearthStoragePostgres

/// A database that the servers of an earlier version use, and one that no server uses.
@Suite(.enabled(if: SharedFixture.isThere, SharedFixture.absence))
struct EarlierSchemaTests {
    private let shared: SharedFixture
    private let folder: TemporaryFolder

    init() throws {
        shared = try SharedFixture()
        folder = try TemporaryFolder()
    }

    /// Everything that an operator's program does with a database.
    private var commands: [(name: String, run: () throws -> Void)] {
        [
            ("verify", { _ = try shared.verify() }),
            (
                "backup",
                {
                    _ = try SharedBackupWriter(shared.place, target: folder.path + "/backup", now: SampleData.now)
                        .run()
                }
            ),
            ("read-only", { _ = try ReadOnlyMode(.shared(shared.place)).current() }),
            (
                "read-only on",
                { try ReadOnlyMode(.shared(shared.place)).begin(reason: "", now: SampleData.now) }
            ),
            (
                "copy",
                {
                    _ = try StorageCopy(
                        from: .shared(shared.place), to: .folder(folder.path + "/copy"), now: SampleData.now
                    ).run()
                }
            ),
        ]
    }

    private func copyThere() throws {
        let data = try SampleData()
        _ = try StorageCopy(from: .folder(data.path), to: .shared(shared.place), now: SampleData.now).run()
    }

    /// The database after all steps but the last one.
    private func makeEarlierTables() throws -> PostgresConnection {
        let connection = try PostgresConnection(shared.database.configuration)
        try connection.execute(
            "CREATE TABLE hearth_schema (step BIGINT PRIMARY KEY, oldest_program BIGINT NOT NULL)")
        for (index, step) in PostgresSchema.steps.dropLast().enumerated() {
            try connection.execute(step.sql)
            try connection.execute("INSERT INTO hearth_schema VALUES (\(index + 1), 1)")
        }
        return connection
    }

    @Test("No command upgrades the database of servers of an earlier version")
    func earlier() throws {
        let connection = try makeEarlierTables()
        let known = PostgresSchema.steps.count
        for (name, run) in commands + [("copy there", copyThere)] {
            let error = #expect(throws: StorageError.self, "\(name)") { try run() }
            #expect(error?.code == .older, "\(name)")
            #expect(error?.message.contains("it has schema \(known - 1), and this program needs \(known)") == true)
            #expect(error?.message.contains("Start a server of this version over it first") == true)
        }
        let steps = try connection.integer("SELECT count(*) FROM hearth_schema")
        #expect(steps == Int64(known - 1))
        // A server may upgrade it.
        _ = try PostgresMetadataStore(shared.database.configuration)
        try commands[0].run()
    }

    @Test("What an operator allows reaches the servers, also while their records are read-only")
    func marks() throws {
        try copyThere()
        let server = try PostgresMetadataStore(shared.database.configuration)
        try server.write { try $0.set(.deferredRemovals, "21\n21 of 21") }
        #expect(try shared.place.value(of: .deferredRemovals) == "21\n21 of 21")
        try ReadOnlyMode(.shared(shared.place)).begin(reason: "", now: SampleData.now)
        try shared.place.set(.allowedRemovals, "21\n21 of 21")
        #expect(try server.read { try $0.value(of: .allowedRemovals) } == "21\n21 of 21")
        try shared.place.set(.allowedRemovals, nil)
        #expect(try server.read { try $0.value(of: .allowedRemovals) } == nil)
    }

    @Test("A database without tables gets none, except by a copy into it")
    func empty() throws {
        let connection = try PostgresConnection(shared.database.configuration)
        for (name, run) in commands {
            let error = #expect(throws: StorageError.self, "\(name)") { try run() }
            #expect(error?.code == .older, "\(name)")
        }
        let tables = try connection.integer(
            "SELECT count(*) FROM information_schema.tables WHERE table_schema = current_schema()")
        #expect(tables == 0)
        try copyThere()
        try commands[0].run()
    }
}

import Foundation
import HearthCatalog
import HearthStorage
import HearthStorageSQL
import HearthTestSupport
import Testing

@testable import HearthStorageSQLite
@testable import HearthStorageTestSupport

@Suite("SQLite: one file") struct SQLiteFileTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/hearth.sqlite" }

    init() throws { folder = try TemporaryFolder() }

    /// A closed database with 200 models, all in the main file.
    private func makeDatabase() throws -> Data {
        do {
            let store = try SQLiteMetadataStore(path: path)
            try store.write { store in
                try store.insert(Records.project("project-a", number: 1))
                for id in 1...200 as ClosedRange<Int64> {
                    try store.insert(Records.model(id, "model-\(id)"))
                    try store.append(Records.entry(String(repeating: "x", count: 100)))
                }
            }
        }
        return try Data(contentsOf: URL(fileURLWithPath: path))
    }

    private func readAll(_ store: SQLiteMetadataStore) throws {
        try store.read { store in
            _ = try store.models(project: "project-a", after: 0, limit: 1000)
            _ = try store.audit(project: "project-a", before: nil, limit: 1000)
        }
    }

    @Test("Every connection has the write-ahead log, full synchronisation and foreign keys", arguments: [false, true])
    func pragmas(isReader: Bool) throws {
        _ = try SQLiteMetadataStore(path: path)
        let connection = try SQLiteConnection(path: path, readOnly: isReader)
        func text(_ name: String) throws -> String? { try connection.text("PRAGMA \(name)") }
        #expect(try text("journal_mode") == "wal")
        #expect(try text("synchronous") == "2", "2 is FULL")
        #expect(try text("foreign_keys") == "1")
        #expect(try text("query_only") == (isReader ? "1" : "0"))
    }

    @Test("A reader's connection cannot write")
    func readOnly() throws {
        _ = try SQLiteMetadataStore(path: path)
        let connection = try SQLiteConnection(path: path, readOnly: true)
        #expect(throws: StorageError.self) { try connection.execute("DELETE FROM counter") }
    }

    @Test("The database is where it was asked to be, with its log beside it")
    func files() throws {
        let store = try SQLiteMetadataStore(path: path)
        try store.write { try $0.insert(Records.project("project-a", number: 1)) }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(names == ["hearth.sqlite", "hearth.sqlite-shm", "hearth.sqlite-wal"])
    }

    @Test("Opening again finds everything")
    func reopen() throws {
        let models = [Records.model(1, "flowers"), Records.model(2, "trees")]
        do {
            let store = try SQLiteMetadataStore(path: path)
            try store.write { store in
                try store.insert(Records.project("project-a", number: 1))
                _ = try store.nextModelID()
                for model in models { try store.insert(model) }
            }
        }
        let store = try SQLiteMetadataStore(path: path)
        #expect(try store.read { try $0.models(project: "project-a", after: 0, limit: 9) } == models)
        #expect(try store.write { try $0.nextModelID() } == 1_000_002)
    }

    @Test(
        "A schema that this program cannot know is refused, with a text that says so",
        arguments: [SQLiteSchema.steps.count + 1, 99, -1])
    func foreignSchema(version: Int) throws {
        _ = try SQLiteMetadataStore(path: path)
        try SQLiteConnection(path: path, readOnly: false).execute("PRAGMA user_version = \(version)")
        let error = try #require(failure { _ = try SQLiteMetadataStore(path: path) })
        #expect(error.code == (version > 0 ? .newer : .corrupt))
        let text = "by a newer Hearth: it has schema \(version), and this one knows up to \(SQLiteSchema.steps.count)"
        #expect(
            error.message
                == (version > 0
                    ? "The database was written " + text : "The database does not belong to a Hearth server"))
    }

    @Test("A file that is no database is refused")
    func notADatabase() throws {
        let path = try folder.write(Array("this is not a database, it is a shopping list".utf8), to: "list")
        #expect(failure { _ = try SQLiteMetadataStore(path: path) }?.code == .corrupt)
    }

    @Test("A database whose pages were overwritten is refused when they are read")
    func overwritten() throws {
        var bytes = try makeDatabase()
        bytes.replaceSubrange(4096..., with: Data(repeating: 0xA5, count: bytes.count - 4096))
        try bytes.write(to: URL(fileURLWithPath: path))
        #expect(failure { try readAll(try SQLiteMetadataStore(path: path)) }?.code == .corrupt)
    }

    @Test("A store remembers that it came upon damage")
    func damageIsRemembered() throws {
        let intact = try makeDatabase()
        let file = URL(fileURLWithPath: path)
        let store = try SQLiteMetadataStore(path: path)
        try (intact.prefix(4096) + Data(repeating: 0xA5, count: intact.count - 4096)).write(to: file)
        #expect(!store.isDamaged, "nobody has looked yet")
        #expect(failure { try readAll(store) }?.code == .corrupt)
        #expect(store.isDamaged)
        try intact.write(to: file)
        try readAll(store)
        #expect(store.isDamaged, "what went wrong meanwhile nobody knows")
    }

    @Test("A database that lost its second half is refused when it is read")
    func halved() throws {
        let bytes = try makeDatabase()
        try bytes.prefix(bytes.count / 8192 * 4096).write(to: URL(fileURLWithPath: path))
        #expect(failure { try readAll(try SQLiteMetadataStore(path: path)) }?.code == .corrupt)
    }

    @Test("Random damage gives data or a storage error, never a crash")
    func randomDamage() throws {
        let intact = try makeDatabase()
        for seed in 0..<40 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            var bytes = intact
            for _ in 0..<Int.random(in: 1...32, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            try bytes.write(to: URL(fileURLWithPath: path))
            do {
                let store = try SQLiteMetadataStore(path: path)
                try readAll(store)
                try store.write { try $0.append(Records.entry("after the damage")) }
            } catch {
                #expect(error is StorageError, "seed \(seed): \(error)")
            }
        }
    }

    @Test("A path that cannot be opened is an error that names no more than the reason")
    func unreachable() throws {
        let error = try #require(failure { _ = try SQLiteMetadataStore(path: folder.path + "/missing/hearth.sqlite") })
        #expect(error.code == .io && error.message == "Cannot open the database: unable to open database file")
    }

    @Test("A full database refuses the write, keeps what was committed, and takes writes when there is room again")
    func fullDatabase() throws {
        let store = try SQLiteMetadataStore(path: path)
        try store.write { store in
            try store.insert(Records.project("project-a", number: 1))
            try store.append(Records.entry("kept"))
        }
        let connection = try SQLiteConnection(path: path, readOnly: false)
        try connection.execute("PRAGMA max_page_count = 1")
        try connection.execute("BEGIN IMMEDIATE")
        let big = Records.entry(String(repeating: "x", count: 1 << 20))
        #expect(failure { try SQLTransaction(on: connection).store.append(big) }?.code == .noSpace)
        try? connection.execute("ROLLBACK")
        #expect(
            try store.read { try $0.audit(project: "project-a", before: nil, limit: 9) } == [
                Records.entry("kept", id: 1)
            ])
        try store.write { try $0.append(Records.entry("more")) }
        #expect(try store.read { try $0.audit(project: "project-a", before: nil, limit: 9).count } == 2)
    }
}

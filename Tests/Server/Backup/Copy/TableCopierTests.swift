import HearthStorage
import HearthStoragePostgres
import HearthStorageSQL
import HearthStorageSQLite
import HearthTestSupport
import Testing

@testable import HearthBackup

/// Rows from one engine to another, and back.
@Suite(.enabled(if: SharedFixture.isThere, SharedFixture.absence))
struct TableCopierTests {
    private let folder: TemporaryFolder
    private let shared: SharedFixture

    init() throws {
        folder = try TemporaryFolder()
        shared = try SharedFixture()
    }

    private func sqlite(_ name: String) throws -> SQLiteTables {
        try SQLiteTables(updating: folder.path + "/\(name).sqlite")
    }

    /// A row in each table, also in those of later schemas: the same texts and numbers everywhere, so that each reference
    /// leads somewhere.
    private func fill(_ tables: SQLiteTables, _ plan: CopyPlan) throws {
        try tables.writing {
            try tables.run("DELETE FROM counter")
            for table in plan.tables {
                let values = table.kinds.map { kind -> SQLValue in
                    switch kind {
                    case .integer: .integer(7)
                    case .real: .real(0.1 + 0.2)
                    case .text: .text("a'b\\c\"ü\u{1F525}\n\t$1?")
                    case .bytes: .bytes([0, 255, 92, 39])
                    }
                }
                try tables.run(table.insertion(rows: 1), values)
            }
        }
    }

    private func copy(
        _ source: any TableConnection, _ target: any TableConnection
    ) throws -> [String: TableDigest] {
        let plan = try CopyPlan(from: source.tables(), to: target.tables())
        try target.writing { try target.run("DELETE FROM counter") }
        var digests: [String: TableDigest] = [:]
        try source.reading {
            for table in plan.tables {
                _ = try TableCopier(source: source, target: target).copy(table)
                digests[table.name] = try TableDigest(of: table, in: source)
                let copied = try target.reading { try TableDigest(of: table, in: target) }
                #expect(copied == digests[table.name], "\(table.name)")
            }
        }
        try target.writing { try target.adoptRows() }
        return digests
    }

    @Test("Each table is copied there and back, byte for byte")
    func eachTable() throws {
        let (first, back) = (try sqlite("first"), try sqlite("back"))
        let middle = try shared.tables()
        let plan = try CopyPlan(from: first.tables(), to: middle.tables())
        try fill(first, plan)
        let there = try copy(first, middle)
        #expect(there.count == plan.tables.count && there.count > 25)
        #expect(there.values.allSatisfy { $0.rows >= 1 })
        #expect(try copy(middle, back) == there)
    }

    private static let reals: [Double] = [
        Double.leastNonzeroMagnitude, -Double.greatestFiniteMagnitude, 1.0 / 3, 0, -0.5,
    ]

    @Test("Numbers at their ends, missing values, empty texts and reals keep their values")
    func values() throws {
        let (first, back) = (try sqlite("first"), try sqlite("back"))
        let middle = try shared.tables()
        try first.writing {
            for (number, sum) in Self.reals.enumerated() {
                try first.run(
                    "INSERT INTO project (id, number, created_us) VALUES (?, ?, ?)",
                    [.text("p\(number)"), .integer(.min + Int64(number)), .integer(.max)])
                try first.run(
                    "INSERT INTO event_day VALUES (?, 1, '', '', 1, ?)", [.text("p\(number)"), .real(sum)])
            }
            try first.run(
                """
                INSERT INTO admin_token (id, name, role, secret_hash, created_us, created_by, has_ended)
                VALUES ('', '', '', '', 0, '', 0)
                """)
        }
        let there = try copy(first, middle)
        #expect(try copy(middle, back) == there)
        let reals = try back.rows("SELECT sum FROM event_day ORDER BY project", []) { $0.real(.sum) }
        #expect(reals == Self.reals)
        let projects = try back.integer("SELECT count(*) FROM admin_token WHERE project IS NULL")
        #expect(projects == 1)
    }

    @Test("New rows get new ids after a copy, and installations are counted")
    func numbers() throws {
        let first = try sqlite("first")
        let middle = try shared.tables()
        let plan = try CopyPlan(from: first.tables(), to: middle.tables())
        try fill(first, plan)
        _ = try copy(first, middle)
        try middle.writing {
            try middle.run(
                "INSERT INTO audit (project, actor, action, subject, detail, at_us) VALUES ('', '', '', '', '', 0)")
        }
        let ids = try middle.integers("SELECT id FROM audit ORDER BY id")
        #expect(ids == [7, 8])
        let counts = try middle.integer("SELECT sum(count) FROM installation_count")
        #expect(counts == 1)
    }

    @Test("A text that PostgreSQL cannot store ends the copy with the table and the row")
    func invalidText() throws {
        let first = try sqlite("first")
        try first.writing {
            try first.run(
                "INSERT INTO project (id, number, created_us) VALUES (?, 1, 1)", [.text("before\0after")])
        }
        let error = #expect(throws: StorageError.self) { try copy(first, shared.tables()) }
        #expect(error?.code == .invalidText)
        #expect(error?.message.contains("table project") == true)
        #expect(error?.message.contains("before") == true)
    }
}

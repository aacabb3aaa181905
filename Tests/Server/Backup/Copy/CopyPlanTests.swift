import HearthFiles
import HearthStorage
import HearthStorageSQL
import HearthStorageSQLite
import HearthTestSupport
import Testing

@testable import HearthBackup
@testable import HearthStoragePostgres

/// Which tables a copy contains.
struct CopyPlanTests {
    private func sqlite() throws -> [StoredTable] {
        let folder = try TemporaryFolder()
        return try SQLiteTables(updating: folder.path + "/hearth.sqlite").tables()
    }

    /// Fails for a table of a new schema that is in one database only. Add it to both, or say in `CopyPlan.leftTables` why
    /// no copy needs it.
    @Test func eachTableIsInBothDatabasesOrLeftOnPurpose() throws {
        let text = PostgresSchema.steps.map(\.sql).joined(separator: "\n")
        let postgres = Set(text.matches(of: #/CREATE TABLE (?:IF NOT EXISTS )?(\w+)/#).map { String($0.1) })
        let known = Set(try sqlite().map(\.name))
        #expect(postgres.symmetricDifference(known).subtracting(CopyPlan.leftTables.keys).isEmpty)
        #expect(Set(CopyPlan.leftTables.keys).subtracting(postgres.union(known)).subtracting(["hearth_schema"]).isEmpty)
    }

    /// With the command that ends them.
    @Test func theKeysOfAFormerMainServerAreNotLeftOutUnnoticed() throws {
        let data = try SampleData()
        try AtomicFile.write([1], to: data.layout.mirroredKeys)
        let error = #expect(throws: BackupError.self) { _ = try CopySource(.folder(data.path)) }
        #expect(error?.message.contains("`hearth keys signing retire former`") == true)
        try DiskFiles().remove(data.layout.mirroredKeys)
        _ = try CopySource(.folder(data.path))
    }

    @Test func aTableOrColumnOfOneDatabaseIsRefusedByName() throws {
        let tables = try sqlite()
        let other = StoredTable(name: "novelty", columns: [.init("id", .integer)], key: ["id"], references: [])
        for (source, target) in [(tables + [other], tables), (tables, tables + [other])] {
            let error = #expect(throws: BackupError.self) { try CopyPlan(from: source, to: target) }
            #expect(error?.message.contains("the table novelty") == true)
        }
        var changed = tables
        let place = try #require(changed.firstIndex { $0.name == "model" })
        changed[place].columns.append(.init("novelty", .text))
        let error = #expect(throws: BackupError.self) { try CopyPlan(from: tables, to: changed) }
        #expect(error?.message.contains("novelty of the table model") == true)
    }

    @Test func rowsComeAfterThoseThatTheyReferTo() throws {
        let tables = try sqlite()
        let order = try CopyPlan(from: tables, to: tables).tables.map(\.name)
        for table in tables {
            for other in table.references where order.contains(table.name) {
                let (own, first) = (order.firstIndex(of: table.name), order.firstIndex(of: other))
                #expect(try #require(first) < #require(own), "\(table.name) refers to \(other)")
            }
        }
    }
}

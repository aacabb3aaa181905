import HearthStorage
import HearthStoragePostgres
import HearthStorageSQL
import HearthStorageSQLite
import HearthTestSupport
import HearthWire
import Testing

@testable import HearthStorageTestSupport

/// Records that must not be changed for a while.
@Suite("Records that are read-only") struct ReadOnlyTests {
    private static let mark = ReadOnlyMark(reason: "they move", now: Timestamp(microseconds: 1_800_000_000_000_000))

    @Test("Another process's mark refuses changes, and answers look-ups", arguments: MetadataKind.allCases)
    func mark(kind: MetadataKind) throws {
        switch kind {
        case .sqlite:
            let folder = try TemporaryFolder()
            let path = folder.path + "/hearth.sqlite"
            try check(SQLiteMetadataStore(path: path), SQLiteTables(live: path))
        case .postgres:
            let database = try TestDatabase()
            try check(PostgresMetadataStore(database.configuration), PostgresTables(database.configuration))
        }
    }

    private func check(_ store: any MetadataStore, _ tables: any TableConnection) throws {
        try store.write { try $0.insert(Records.project("project-a", number: 1)) }
        try tables.setReadOnly(Self.mark)
        let error = #expect(throws: StorageError.self) {
            try store.write { try $0.insert(Records.project("project-b", number: 2)) }
        }
        #expect(error?.code == .readOnly)
        #expect(error?.message.contains("since 2027-01-15T08:00:00Z (they move)") == true)
        #expect(try store.read { try $0.projects().count } == 1)
        #expect(store.readOnlyReason.map { ReadOnlyMark($0) } == Self.mark)
        try tables.setReadOnly(nil)
        try store.write { try $0.insert(Records.project("project-b", number: 2)) }
        #expect(try store.read { try $0.projects().count } == 2)
    }
}

import HearthCatalog
import HearthStorage
import HearthStoragePostgres
import HearthStorageSQLite
import HearthTestSupport

@testable import HearthStorageTestSupport

/// The engines that the conformance suite of `MetadataStore` runs over. A new one has an entry here, and must pass all of it.
enum MetadataKind: CaseIterable, Sendable {
    case sqlite
    case postgres

    /// Those that are there.
    static let allCases: [MetadataKind] = [.sqlite] + (TestDatabase.server == nil ? [] : [.postgres])

    /// How the engine refuses that text as a part of a key; nil if it takes it.
    func refusal(ofKey text: String) -> StorageError.Code? {
        guard self == .postgres else { return nil }
        return text.utf8.contains(0) ? .invalidText : text.utf8.count > 2000 ? .tooLarge : nil
    }

    func makeEmptyStore() throws -> any MetadataStore {
        switch self {
        case .sqlite:
            let folder = try TemporaryFolder()
            return StoreInTemporaryFolder(
                base: try SQLiteMetadataStore(path: folder.path + "/hearth.sqlite"), folder: folder)
        case .postgres:
            let database = try TestDatabase()
            return StoreInTestDatabase(base: try PostgresMetadataStore(database.configuration), database: database)
        }
    }

    /// A store with the projects `project-a` and `project-b`.
    func makeStore() throws -> any MetadataStore {
        let store = try makeEmptyStore()
        try store.write { store in
            try store.insert(Records.project("project-a", number: 1))
            try store.insert(Records.project("project-b", number: 2))
        }
        return store
    }
}

/// A store that keeps its temporary folder alive.
private struct StoreInTemporaryFolder: MetadataStore {
    let base: any MetadataStore
    let folder: TemporaryFolder

    var servingRevision: UInt64 { base.servingRevision }
    var isDamaged: Bool { base.isDamaged }
    func read<Result>(_ body: (any MetadataReader) throws -> Result) throws -> Result { try base.read(body) }
    func write<Result>(_ body: (any MetadataWriter) throws -> Result) throws -> Result { try base.write(body) }
}

/// A store that keeps its database until it is released.
private struct StoreInTestDatabase: MetadataStore {
    let base: any MetadataStore
    let database: TestDatabase

    var servingRevision: UInt64 { base.servingRevision }
    var isDamaged: Bool { base.isDamaged }
    func read<Result>(_ body: (any MetadataReader) throws -> Result) throws -> Result { try base.read(body) }
    func write<Result>(_ body: (any MetadataWriter) throws -> Result) throws -> Result { try base.write(body) }
}

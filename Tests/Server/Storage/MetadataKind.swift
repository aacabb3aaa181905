import HearthCatalog
import HearthStorage
import HearthStorageSQLite
import HearthTestSupport

/// The implementations of `MetadataStore` that the conformance suite runs over.
enum MetadataKind: CaseIterable, Sendable {
    case memory
    case sqlite

    func makeEmptyStore() throws -> any MetadataStore {
        switch self {
        case .memory: return MemoryMetadataStore()
        case .sqlite:
            let folder = try TemporaryFolder()
            return HousedStore(base: try SQLiteMetadataStore(path: folder.path + "/hearth.sqlite"), folder: folder)
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
private struct HousedStore: MetadataStore {
    let base: any MetadataStore
    let folder: TemporaryFolder

    var servingRevision: UInt64 { base.servingRevision }
    func read<Result>(_ body: (any MetadataReader) throws -> Result) throws -> Result { try base.read(body) }
    func write<Result>(_ body: (any MetadataWriter) throws -> Result) throws -> Result { try base.write(body) }
}

import HearthCatalog
import HearthStorage
import HearthStorageSQLite
import HearthTestSupport

/// The engines that the conformance suite of `MetadataStore` runs over. A new one has an entry here, and must pass all of it.
enum MetadataKind: CaseIterable, Sendable {
    case sqlite

    func makeEmptyStore() throws -> any MetadataStore {
        switch self {
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
    var isDamaged: Bool { base.isDamaged }
    func read<Result>(_ body: (any MetadataReader) throws -> Result) throws -> Result { try base.read(body) }
    func write<Result>(_ body: (any MetadataWriter) throws -> Result) throws -> Result { try base.write(body) }
}

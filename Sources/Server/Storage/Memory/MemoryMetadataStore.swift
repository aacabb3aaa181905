import HearthCatalog
import Synchronization

/// `MetadataStore` in memory, for tests and throw-away servers. A write works on a copy that replaces the state when
/// it succeeds.
public final class MemoryMetadataStore: MetadataStore {
    private let tables = Mutex(MemoryTables())
    /// Held for a whole write, `tables` only for the moment of a copy: reads never wait for a write.
    private let turn = Mutex<Void>(())
    private let revision = Atomic<UInt64>(1)

    public init() {}

    public var servingRevision: UInt64 { revision.load(ordering: .acquiring) }

    public func read<Result>(_ body: (any MetadataReader) throws -> Result) throws -> Result {
        try body(MemorySession(tables.withLock { $0 }))
    }

    public func write<Result>(_ body: (any MetadataWriter) throws -> Result) throws -> Result {
        try turn.withLock { _ in
            let session = MemorySession(tables.withLock { $0 })
            let result = try body(session)
            // Both at once: whoever sees the tables must not take an older snapshot for the newest.
            tables.withLock { tables in
                tables = session.tables
                if session.changesServing { revision.wrappingAdd(1, ordering: .releasing) }
            }
            return result
        }
    }
}

import Glibc
import HearthStorage
import Synchronization

/// A store that remembers which threads wrote to it.
final class WatchedStore: MetadataStore {
    private let store: any MetadataStore
    private let threads = Mutex<[pthread_t]>([])

    init(_ store: any MetadataStore) { self.store = store }

    /// The thread of each write since the beginning, in order.
    var writers: [pthread_t] { threads.withLock { $0 } }

    var servingRevision: UInt64 { store.servingRevision }
    var isDamaged: Bool { store.isDamaged }

    func read<Result>(_ body: (any MetadataReader) throws -> Result) throws -> Result { try store.read(body) }

    func write<Result>(_ body: (any MetadataWriter) throws -> Result) throws -> Result {
        threads.withLock { $0.append(pthread_self()) }
        return try store.write(body)
    }
}

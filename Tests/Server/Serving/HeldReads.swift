import Dispatch
import HearthStorage
import Synchronization
import Testing

/// Counts the reads for snapshots, and stops one of them when it has read.
final class HeldReads: MetadataStore {
    struct Hold: Sendable {
        fileprivate let reached = DispatchSemaphore(value: 0)
        fileprivate let released = DispatchSemaphore(value: 0)

        func waitUntilReached() throws {
            try #require(reached.wait(timeout: .now() + 60) == .success, "no snapshot is made")
        }

        func release() { released.signal() }
    }

    private let base: any MetadataStore
    private let reads = Atomic(0)
    private let hold = Mutex<Hold?>(nil)

    init(_ base: any MetadataStore) { self.base = base }

    var count: Int { reads.load(ordering: .relaxed) }

    func holdNext() -> Hold {
        let new = Hold()
        hold.withLock { $0 = new }
        return new
    }

    var servingRevision: UInt64 { base.servingRevision }
    var isDamaged: Bool { base.isDamaged }

    func read<Result>(_ body: (any MetadataReader) throws -> Result) throws -> Result { try base.read(body) }

    func readServed<Result>(_ body: (any MetadataReader) throws -> Result) throws -> Result {
        reads.add(1, ordering: .relaxed)
        let result = try base.readServed(body)
        if let hold = hold.withLock({ $0.take() }) {
            hold.reached.signal()
            _ = hold.released.wait(timeout: .now() + 60)
        }
        return result
    }

    func write<Result>(_ body: (any MetadataWriter) throws -> Result) throws -> Result { try base.write(body) }
}

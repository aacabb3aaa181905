import HearthStorage
import Synchronization

/// Counts what each transaction changes, and lets a test act in between.
final class WatchedMetadata: MetadataStore {
    private struct State {
        var reads = 0
        var writes: [Int] = []
        var afterReads: [Int: @Sendable () throws -> Void] = [:]
    }

    private let base: any MetadataStore
    private let state = Mutex(State())

    init(_ base: any MetadataStore) { self.base = base }

    /// How many audit entries and validations fewer or more there were after each write.
    var writes: [Int] { state.withLock { $0.writes } }

    /// By the number of the read, from 1, after which it is called.
    var afterReads: [Int: @Sendable () throws -> Void] {
        get { state.withLock { $0.afterReads } }
        set { state.withLock { $0.afterReads = newValue } }
    }

    var servingRevision: UInt64 { base.servingRevision }
    var isDamaged: Bool { base.isDamaged }

    func read<Result>(_ body: (any MetadataReader) throws -> Result) throws -> Result {
        let result = try base.read(body)
        let action = state.withLock { state in
            state.reads += 1
            return state.afterReads.removeValue(forKey: state.reads)
        }
        try action?()
        return result
    }

    func write<Result>(_ body: (any MetadataWriter) throws -> Result) throws -> Result {
        let before = try size()
        let result = try base.write(body)
        let after = try size()
        state.withLock {
            $0.writes.append(abs(after.audit - before.audit) + abs(after.validations - before.validations))
        }
        return result
    }

    private func size() throws -> (audit: Int, validations: Int) {
        try base.read { store in
            (try store.audit(project: nil, before: nil, limit: .max).count, try store.validations().count)
        }
    }
}

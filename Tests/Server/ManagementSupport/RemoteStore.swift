import Foundation
import HearthIdentity
import HearthStorage

/// A store that stands for a database elsewhere: it can be away, and it can be frozen so that calls get no answer.
final class RemoteStore: MetadataStore {
    enum State {
        case answering
        /// Known to be away: calls fail at once.
        case away
        /// Nobody knows it yet: calls wait.
        case frozen
    }

    /// What other servers over the same database use.
    let base: any MetadataStore
    private let clock: ServerClock
    private let condition = NSCondition()
    // Guarded by `condition`.
    nonisolated(unsafe) private var current = State.answering
    // Guarded by `condition`.
    nonisolated(unsafe) private var lastAnswer: Int64

    init(_ base: any MetadataStore, clock: ServerClock) {
        (self.base, self.clock) = (base, clock)
        lastAnswer = clock.moment.monotonicMicroseconds
    }

    var state: State {
        get { locked { current } }
        set {
            locked {
                if current == .answering { lastAnswer = clock.moment.monotonicMicroseconds }
                current = newValue
                condition.broadcast()
            }
        }
    }

    private func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
        condition.lock()
        defer { condition.unlock() }
        return try body()
    }

    private func answer() throws {
        try locked {
            while current == .frozen { condition.wait() }
            if current == .away { throw StorageError(.unavailable, "The database does not answer") }
        }
    }

    var servingRevision: UInt64 { base.servingRevision }
    var isDamaged: Bool { base.isDamaged }

    var contact: StoreContact? {
        locked {
            let now = clock.moment.monotonicMicroseconds
            return StoreContact(
                ageMicroseconds: current == .answering ? 0 : now - lastAnswer, isAnswering: current != .away)
        }
    }

    func read<Result>(_ body: (any MetadataReader) throws -> Result) throws -> Result {
        try answer()
        return try base.read(body)
    }

    func write<Result>(_ body: (any MetadataWriter) throws -> Result) throws -> Result {
        try answer()
        return try base.write(body)
    }
}

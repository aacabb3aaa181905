import HearthStorage
import Synchronization

/// Whether the database answers. `PostgresListener` asks it about once a second, and all other connections rely on that:
/// a database that is frozen keeps its connections, and each call would find out for itself after the time that the longest
/// statement may take.
final class PostgresHeartbeat: Sendable {
    private let start: ContinuousClock.Instant
    /// Microseconds from `start` to the last question that was answered.
    private let lastAnswer = Atomic<Int64>(0)
    private let answering = Atomic(true)

    /// - Parameter moment: when the database was asked something that it has answered.
    init(answeredAt moment: ContinuousClock.Instant) { start = moment }

    var isAnswering: Bool { answering.load(ordering: .acquiring) }

    /// The clock runs on while the machine sleeps, and nobody can set it.
    var age: Duration { (.now - start) - .microseconds(lastAnswer.load(ordering: .acquiring)) }

    var contact: StoreContact {
        StoreContact(ageMicroseconds: Int64(age / .microseconds(1)), isAnswering: isAnswering)
    }

    /// - Parameter moment: when it was asked.
    func answer(at moment: ContinuousClock.Instant) {
        lastAnswer.max(Int64((moment - start) / .microseconds(1)), ordering: .releasing)
        answering.store(true, ordering: .releasing)
    }

    func miss() { answering.store(false, ordering: .releasing) }

    /// - Throws: `.unavailable` while the database does not answer.
    func check() throws(StorageError) {
        guard isAnswering else { throw StorageError(.unavailable, "PostgreSQL does not answer") }
    }
}

import Synchronization

/// Counts how often the database turned out to be another one than before.
///
/// A connection that began under a lower count may lead to the former database, which may live on and answer it. So no
/// statement uses such a connection.
final class PostgresHistory: Sendable {
    private let count = Atomic<UInt64>(0)

    var replacements: UInt64 { count.load(ordering: .acquiring) }

    func noteReplacement() { count.wrappingAdd(1, ordering: .acquiringAndReleasing) }
}

import Synchronization

/// One limit on very many callers. Any thread; a call costs well under a microsecond, and memory is bounded.
public final class RateGate: Sendable {
    /// Too many calls.
    public struct Refusal: Error, Sendable, Hashable, CustomStringConvertible {
        /// At least 1.
        public let retryAfterSeconds: Int

        public var description: String { "Too many requests; try again in \(retryAfterSeconds) s." }
    }

    /// Callers in different shards do not wait for each other.
    private final class Shard: Sendable {
        let table = Mutex(BucketTable(setCount: RateGate.setsPerShard))
    }

    /// 64 shards of 128 sets tell 65,536 callers apart at a time, in 1 MiB.
    private static let shardCount = 64
    private static let setsPerShard = 128

    private let pace: RefillPace?
    private let shards: [Shard]
    private let refused = Atomic<UInt64>(0)

    public init(_ limit: RateLimits.Limit) {
        pace = RefillPace(limit)
        shards = pace == nil ? [] : (0..<Self.shardCount).map { _ in Shard() }
    }

    /// Calls refused since the start.
    public var refusals: UInt64 { refused.load(ordering: .relaxed) }

    /// Counts a call by `caller`, who is one of `group`'s.
    public func admit(_ caller: String, of group: Int64 = 0, nowMicroseconds: Int64) throws(Refusal) {
        guard let pace else { return }
        let fingerprint = Self.fingerprint(caller, group)
        let shard = shards[Int(fingerprint >> 58)]
        let wait = shard.table.withLock { $0.take(fingerprint, at: pace, nowMicroseconds: nowMicroseconds) }
        guard wait > 0 else { return }
        refused.add(1, ordering: .relaxed)
        throw Refusal(retryAfterSeconds: Int((wait + 999_999) / 1_000_000))
    }

    /// Different in each process, so that nobody can choose callers that share a set.
    private static func fingerprint(_ caller: String, _ group: Int64) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(caller)
        hasher.combine(group)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }
}

import Foundation
import Synchronization

/// The server's limits on calls, at work. Any thread.
package final class RateLimiters: Sendable {
    /// For calls that prove no identity; callers are `ClientNetwork.name(of:)`.
    package let address: RateLimiter
    /// Callers are ids of API keys.
    package let key: RateLimiter
    /// Callers are installation ids, in groups by project number.
    package let installation: RateLimiter
    /// For the signatures that are checked although their sender's address is over its limit; callers are keys, each
    /// per address.
    package let signature = RateLimiter(.init(requestsPerMinute: 60, burst: 10))

    package init(_ limits: RateLimits) {
        address = RateLimiter(limits.address)
        key = RateLimiter(limits.key)
        installation = RateLimiter(limits.installation)
    }
}

/// How many calls the server answers, by whom they are.
package struct RateLimits: Sendable, Hashable {
    /// One limit: a bucket that holds `burst` calls and is refilled steadily.
    package struct Limit: Sendable, Hashable {
        /// 0 for no limit.
        package var requestsPerMinute: Int
        /// How many calls may come at once after a rest; at least 1.
        package var burst: Int

        package init(requestsPerMinute: Int, burst: Int) {
            self.requestsPerMinute = requestsPerMinute
            self.burst = burst
        }
    }

    /// Per client address (IPv6: per /64 network), for calls that prove no identity: asking for an access token,
    /// registering an installation, and whatever shows a wrong key or token.
    package var address = Limit(requestsPerMinute: 300, burst: 300)
    /// Per API key. No limit by default: every copy of an app shares one key. Whoever sets one gets a burst with it that the
    /// start of many apps can live with.
    package var key = Limit(requestsPerMinute: 0, burst: 1000)
    /// Per installation.
    package var installation = Limit(requestsPerMinute: 120, burst: 60)

    package init() {}
}

/// One limit on very many callers. Any thread; a call costs well under a microsecond, and memory is bounded.
package final class RateLimiter: Sendable {
    /// Too many calls.
    package struct Refusal: Error, Sendable, Hashable, CustomStringConvertible {
        /// At least 1.
        package let retryAfterSeconds: Int

        package var description: String { "Too many requests; try again in \(retryAfterSeconds) s." }
    }

    /// Callers in different shards do not wait for each other.
    private final class Shard: Sendable {
        let table = Mutex(BucketTable(setCount: RateLimiter.setsPerShard))
    }

    /// 64 shards of 128 sets tell 65,536 callers apart at a time, in 1 MiB.
    private static let shardCount = 64
    private static let setsPerShard = 128

    private let pace: RefillRate?
    private let shards: [Shard]
    private let refused = Atomic<UInt64>(0)

    package init(_ limit: RateLimits.Limit) {
        pace = RefillRate(limit)
        shards = pace == nil ? [] : (0..<Self.shardCount).map { _ in Shard() }
    }

    /// Calls refused since the start.
    package var refusals: UInt64 { refused.load(ordering: .relaxed) }

    /// Counts a call by `caller`, who is one of `group`'s.
    package func admit(_ caller: String, of group: Int64 = 0, nowMicroseconds: Int64) throws(Refusal) {
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

/// A limit as times: a bucket is fully described by the moment when it will be full again.
///
/// This is the generic cell rate algorithm: a call costs one interval, and may be made as long as the bucket is full again
/// no later than `burstMicroseconds` from now.
struct RefillRate: Sendable {
    let intervalMicroseconds: Int64
    let burstMicroseconds: Int64

    /// Nil for no limit.
    init?(_ limit: RateLimits.Limit) {
        guard limit.requestsPerMinute > 0 else { return nil }
        intervalMicroseconds = max(1, 60_000_000 / Int64(limit.requestsPerMinute))
        burstMicroseconds = intervalMicroseconds * Int64(min(max(1, limit.burst), 1_000_000))
    }

    /// Takes one call out of the bucket that will be full at `full`.
    ///
    /// - Returns: microseconds to wait before there is a call in it; 0 when there was one. A clock that was set back costs
    ///   at most an empty bucket.
    func take(from full: inout Int64, nowMicroseconds now: Int64) -> Int64 {
        let debt = min(max(full, now), now + burstMicroseconds)
        let wait = debt + intervalMicroseconds - burstMicroseconds - now
        full = wait > 0 ? debt : debt + intervalMicroseconds
        return max(0, wait)
    }
}

/// Buckets of very many callers in memory that does not grow.
///
/// A caller's fingerprint chooses a set of eight places. Where all are taken, a newcomer takes over the fullest bucket
/// of the set with what is missing in it. So nobody ever gets a fuller bucket by being forgotten: to have it forgotten
/// does not reset it. In return a newcomer may be held to be a little busier than it was, while a set is full of callers
/// that just called.
struct BucketTable: Sendable {
    struct Bucket {
        var fingerprint: UInt64 = 0
        /// When it will be full.
        var fullMicroseconds = Int64.min
    }

    static let placesPerSet = 8

    private let setCount: Int
    private(set) var buckets: [Bucket] = []

    init(setCount: Int) { self.setCount = setCount }

    /// Takes one call out of the caller's bucket; returns what `RefillRate.take` does.
    mutating func take(_ fingerprint: UInt64, at pace: RefillRate, nowMicroseconds: Int64) -> Int64 {
        // Made at the first call: a limit that is never used costs nothing.
        if buckets.isEmpty { buckets = Array(repeating: Bucket(), count: setCount * Self.placesPerSet) }
        let place = place(of: fingerprint)
        buckets[place].fingerprint = fingerprint
        return pace.take(from: &buckets[place].fullMicroseconds, nowMicroseconds: nowMicroseconds)
    }

    private func place(of fingerprint: UInt64) -> Int {
        let first = Int(fingerprint % UInt64(setCount)) * Self.placesPerSet
        var fullest = first
        for place in first..<first + Self.placesPerSet {
            if buckets[place].fingerprint == fingerprint { return place }
            if buckets[place].fullMicroseconds < buckets[fullest].fullMicroseconds { fullest = place }
        }
        return fullest
    }
}

/// Who counts as one client address.
package enum ClientNetwork {
    /// An IPv4 address is itself. Of an IPv6 address the first 64 bits count, because the rest is the client's own to
    /// choose. Anything else is its own name.
    package static func name(of address: String) -> String {
        guard address.utf8.contains(UInt8(ascii: ":")) else { return address }
        var parsed = in6_addr()
        guard inet_pton(AF_INET6, address, &parsed) == 1 else { return address }
        return withUnsafeBytes(of: parsed) { bytes in
            let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
            // An IPv4 client of a socket for both is told apart from its neighbours as over IPv4.
            guard !bytes.starts(with: mapped) else { return bytes.suffix(4).map(String.init).joined(separator: ".") }
            return bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: ":") + "/64"
        }
    }
}

import Foundation
import HearthConcurrency
import Synchronization

/// The server's rate limiters. Safe to call from any thread.
package final class RateLimiters: Sendable {
    /// For calls that prove no identity; callers are named by `ClientNetwork.name(of:)`.
    package let address: RateLimiter
    /// Callers are ids of API keys.
    package let key: RateLimiter
    /// Callers are installation ids, in groups by project number.
    package let installation: RateLimiter
    /// For signatures that are checked although their sender's address is over its limit. Callers are pairs of key and
    /// address.
    package let signature = RateLimiter(.init(requestsPerMinute: 60, burst: 10))

    package init(_ limits: RateLimits) {
        address = RateLimiter(limits.address, of: .address)
        key = RateLimiter(limits.key, of: .key)
        installation = RateLimiter(limits.installation, of: .installation)
    }
}

/// How many calls the server answers, by kind of caller.
package struct RateLimits: Sendable, Hashable {
    /// One limit: a bucket of `burst` calls that refills at a steady rate.
    package struct Limit: Sendable, Hashable {
        /// 0 for no limit.
        package var requestsPerMinute: Int
        /// How many calls may come at once after a time without calls; at least 1.
        package var burst: Int

        package init(requestsPerMinute: Int, burst: Int) {
            self.requestsPerMinute = requestsPerMinute
            self.burst = burst
        }
    }

    /// Per client address (IPv6: per /64 network), for calls that prove no identity: requests for an access token,
    /// registrations of installations, and calls with a wrong key or token.
    package var address = Limit(requestsPerMinute: 300, burst: 300)
    /// Per API key. No limit by default, because every copy of an app shares one key. The default burst suits the
    /// simultaneous start of many apps, for operators who set a limit.
    package var key = Limit(requestsPerMinute: 0, burst: 1000)
    /// Per installation.
    package var installation = Limit(requestsPerMinute: 120, burst: 60)

    package init() {}
}

/// One rate limiter for very many callers. Safe to call from any thread; a call takes well under a microsecond, and
/// memory is bounded.
package final class RateLimiter: Sendable {
    /// What a limiter counts.
    package enum Subject: Sendable, Hashable {
        case address, key, installation
        /// Something that has no setting.
        case other
    }

    /// Too many calls.
    package struct Refusal: Error, Sendable, Hashable, CustomStringConvertible {
        /// At least 1.
        package let retryAfterSeconds: Int
        let subject: Subject

        package var description: String {
            let whose =
                switch subject {
                case .address: " of this address without valid credentials"
                case .key: " with this API key"
                case .installation: " of this installation"
                case .other: ""
                }
            return "Too many requests\(whose); try again in \(retryAfterSeconds) s." + explanation
        }

        private var explanation: String {
            switch subject {
            case .address:
                " An API key is no secret, so registrations of devices count too, whatever their key."
                    + " The server's settings address-burst and address-requests-per-minute raise this limit."
            case .key: " The server's settings key-burst and key-requests-per-minute raise this limit."
            case .installation:
                " The server's settings installation-burst and installation-requests-per-minute raise this limit."
            case .other: ""
            }
        }
    }

    /// Callers in different shards do not wait for each other.
    private final class Shard: Sendable {
        let table = Lock(BucketTable(setCount: RateLimiter.setsPerShard))
    }

    /// 64 shards of 128 sets distinguish 65,536 callers at a time, in 1 MiB.
    private static let shardCount = 64
    private static let setsPerShard = 128

    private let subject: Subject
    private let pace: RefillRate?
    private let shards: [Shard]
    private let refused = Atomic<UInt64>(0)

    package init(_ limit: RateLimits.Limit, of subject: Subject = .other) {
        self.subject = subject
        pace = RefillRate(limit)
        shards = pace == nil ? [] : (0..<Self.shardCount).map { _ in Shard() }
    }

    /// How many calls were refused since the start.
    package var refusals: UInt64 { refused.load(ordering: .relaxed) }

    /// Counts a call by `caller`, a member of `group`.
    package func admit(_ caller: String, of group: Int64 = 0, nowMicroseconds: Int64) throws(Refusal) {
        guard let pace else { return }
        let fingerprint = Self.fingerprint(caller, group)
        let shard = shards[Int(fingerprint >> 58)]
        let wait = shard.table.withLock { $0.take(fingerprint, at: pace, nowMicroseconds: nowMicroseconds) }
        guard wait > 0 else { return }
        refused.add(1, ordering: .relaxed)
        throw Refusal(retryAfterSeconds: Int((wait + 999_999) / 1_000_000), subject: subject)
    }

    /// Different in each process, so that an attacker cannot choose callers that share a set.
    private static func fingerprint(_ caller: String, _ group: Int64) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(caller)
        hasher.combine(group)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }
}

/// A limit expressed in times: the moment when a bucket will be full again describes it completely.
///
/// This is the generic cell rate algorithm: a call costs one interval, and is allowed if the bucket will then be full
/// again within `burstMicroseconds` from now.
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
    /// - Returns: microseconds to wait until the bucket has a call; 0 if it had one. If the clock was set back, the
    ///   bucket is at worst empty.
    func take(from full: inout Int64, nowMicroseconds now: Int64) -> Int64 {
        let debt = min(max(full, now), now + burstMicroseconds)
        let wait = debt + intervalMicroseconds - burstMicroseconds - now
        full = wait > 0 ? debt : debt + intervalMicroseconds
        return max(0, wait)
    }
}

/// Buckets of very many callers, in constant memory.
///
/// A caller's fingerprint chooses a set of eight places. If all are taken, a new caller takes over the fullest bucket
/// of the set in its present state. So a caller never gains by being forgotten: its next bucket is not fuller. In
/// return, a new caller may count as slightly busier than it was while a set is full of callers that just called.
struct BucketTable: Sendable {
    /// The bucket of one caller.
    struct Bucket {
        var fingerprint: UInt64 = 0
        /// When the bucket will be full.
        var fullMicroseconds = Int64.min
    }

    static let placesPerSet = 8

    private let setCount: Int
    private(set) var buckets: [Bucket] = []

    init(setCount: Int) { self.setCount = setCount }

    /// Takes one call out of the caller's bucket. Returns the result of `RefillRate.take`.
    mutating func take(_ fingerprint: UInt64, at pace: RefillRate, nowMicroseconds: Int64) -> Int64 {
        // Allocated at the first call, so that an unused limit costs nothing.
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

/// Decides what counts as one client address.
package enum ClientNetwork {
    /// An IPv4 address stands for itself. Of an IPv6 address the first 64 bits count, because clients choose the rest
    /// themselves. Any other text stands for itself.
    package static func name(of address: String) -> String {
        guard address.utf8.contains(UInt8(ascii: ":")) else { return address }
        var parsed = in6_addr()
        guard inet_pton(AF_INET6, address, &parsed) == 1 else { return address }
        return withUnsafeBytes(of: parsed) { bytes in
            let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
            // An IPv4 client of a dual-stack socket gets the same name as over IPv4.
            guard !bytes.starts(with: mapped) else { return bytes.suffix(4).map(String.init).joined(separator: ".") }
            return bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: ":") + "/64"
        }
    }
}

/// A limit as times: a bucket is fully described by the moment when it will be full again.
///
/// This is the generic cell rate algorithm: a call costs one interval, and may be made as long as the bucket is full again
/// no later than `burstMicroseconds` from now.
struct RefillPace: Sendable {
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

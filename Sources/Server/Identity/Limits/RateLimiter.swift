/// The server's limits on calls, at work. Any thread.
public final class RateLimiter: Sendable {
    /// For calls that prove no identity; callers are `ClientNetwork.name(of:)`.
    public let address: RateGate
    /// Callers are ids of API keys.
    public let key: RateGate
    /// Callers are installation ids, in groups by project number.
    public let installation: RateGate
    /// For the signatures that are checked although their sender's address is over its limit; callers are keys, each
    /// per address.
    public let signature = RateGate(.init(requestsPerMinute: 60, burst: 10))

    public init(_ limits: RateLimits) {
        address = RateGate(limits.address)
        key = RateGate(limits.key)
        installation = RateGate(limits.installation)
    }
}

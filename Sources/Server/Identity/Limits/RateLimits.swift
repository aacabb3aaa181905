/// How many calls the server answers, by whom they are.
public struct RateLimits: Sendable, Hashable {
    /// One limit: a bucket that holds `burst` calls and is refilled steadily.
    public struct Limit: Sendable, Hashable {
        /// 0 for no limit.
        public var requestsPerMinute: Int
        /// How many calls may come at once after a rest; at least 1.
        public var burst: Int

        public init(requestsPerMinute: Int, burst: Int) {
            self.requestsPerMinute = requestsPerMinute
            self.burst = burst
        }
    }

    /// Per client address (IPv6: per /64 network), for calls that prove no identity: asking for an access token,
    /// registering an installation, and whatever shows a wrong key or token.
    public var address = Limit(requestsPerMinute: 300, burst: 300)
    /// Per API key. No limit by default: every copy of an app shares one key. Whoever sets one gets a burst with it that the
    /// start of many apps can live with.
    public var key = Limit(requestsPerMinute: 0, burst: 1000)
    /// Per installation.
    public var installation = Limit(requestsPerMinute: 120, burst: 60)

    public init() {}
}

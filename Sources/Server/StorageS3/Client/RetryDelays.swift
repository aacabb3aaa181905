/// The waits between the tries of one request: exponential, with jitter, so that servers that failed together do not come
/// back together.
struct RetryDelays {
    /// The first wait; each further one is twice as long.
    static let firstSeconds = 0.1
    static let maxSeconds = 10.0
    /// A request waits no longer than this for a store that asks for patience, because a caller waits for it.
    static let maxRetryAfterSeconds = 60.0

    private let attempts: Int
    private var failures = 0

    init(attempts: Int) { self.attempts = attempts }

    /// Call after a try that moved bytes of a download: only tries without progress count.
    mutating func reset() { failures = 0 }

    /// How long to wait before the next try; nil if there is none.
    ///
    /// - Parameter random: 0 to 1.
    mutating func next(after failure: S3Failure, random: Double) -> Double? {
        failures += 1
        guard failure.isRetryable, failures < attempts else { return nil }
        let longest = min(Self.firstSeconds * Double(1 << min(failures - 1, 16)), Self.maxSeconds)
        let own = longest * (0.5 + random / 2)
        guard let wanted = failure.retryAfterSeconds else { return own }
        return wanted > Self.maxRetryAfterSeconds ? nil : max(own, wanted)
    }
}

/// How long to wait before the stream is opened again. Pure.
struct StreamPauses: Sendable, Equatable {
    /// After so many ends in a row of streams that did not work, listeners are told that there is no connection.
    static let failureLimit = 7
    static let longestSeconds = 900.0
    static let longestAskedSeconds = 86_400.0

    private var failureCount = 0

    /// Whether this end was the one after which listeners are told, once until a stream works again.
    var isGivenUp: Bool { failureCount == Self.failureLimit }

    /// - Parameters:
    ///   - hadWorked: Whether there was a stream that worked.
    ///   - askedSeconds: What the server asked for in a stream, for the time after its end.
    ///   - retryAfterSeconds: What a server that gave no stream asked for; that it was no failure, it does not say.
    ///   - random: From 0 up to 1.
    mutating func next(
        hadWorked: Bool, askedSeconds: Double?, retryAfterSeconds: Double? = nil, random: Double
    ) -> Double {
        if let askedSeconds {
            failureCount = 0
            return min(max(1, askedSeconds), Self.longestAskedSeconds)
        }
        failureCount = hadWorked ? 0 : min(failureCount, 1000) + 1
        let doublings = min(failureCount, 10)
        let own = min(2 * Double(1 << doublings), Self.longestSeconds) * (0.5 + random)
        return own + min(max(0, retryAfterSeconds ?? 0), Self.longestAskedSeconds)
    }
}

import HearthWire

/// When a server that was too busy may be asked again. Pure. By the time of day, as it outlives the process.
struct FetchPause: Codable, Sendable, Equatable {
    static let firstSeconds = 120.0
    static let longestSeconds = 14_400.0
    /// The longest that a server can ask for.
    static let longestAskedSeconds = 86_400.0

    /// How long the last pause was before chance changed it; 0 when the last answer was none of a busy server.
    private var seconds = 0.0
    private var endMicroseconds: Int64?

    static func isBusy(_ status: Int) -> Bool { [429, 500, 503, 504].contains(status) }

    /// Nil when the server may be asked. An end further off than any pause comes from a clock that was wrong.
    func end(now: Timestamp) -> Timestamp? {
        guard let endMicroseconds, endMicroseconds > now.microseconds,
            Double(endMicroseconds) - Double(now.microseconds) <= Self.longestAskedSeconds * 1_000_000
        else { return nil }
        return Timestamp(microseconds: endMicroseconds)
    }

    /// Twice as long as the last one, give or take a half of it.
    ///
    /// - Parameters:
    ///   - askedSeconds: What the server asked for; never shortens the pause.
    ///   - random: From 0 up to 1.
    mutating func lengthen(askedSeconds: Double?, random: Double, now: Timestamp) {
        let last = (0...Self.longestSeconds).contains(seconds) ? seconds : 0
        seconds = last == 0 ? Self.firstSeconds : min(2 * last, Self.longestSeconds)
        let own = seconds * (0.5 + random)
        let all = max(own, min(askedSeconds ?? 0, Self.longestAskedSeconds))
        endMicroseconds = now.microseconds + Int64(all * 1_000_000)
    }

    mutating func clear() { self = FetchPause() }
}

/// When the server may be asked again after it did not take a batch. Pure. In seconds of `DeviceClock.uptime()`: a new
/// process may try at once.
struct SendingPause: Sendable, Equatable {
    static let firstSeconds = 30.0
    static let longestSeconds = 3600.0
    /// The longest that a server can ask for.
    static let longestAskedSeconds = 86_400.0

    /// How long the last pause was before chance changed it; 0 when the last batch was taken.
    private var seconds = 0.0
    private var end = 0.0

    /// 0 when the server may be asked.
    func secondsLeft(uptime: Double) -> Double { max(0, end - uptime) }

    /// Twice as long as the last one, give or take a half of it.
    ///
    /// - Parameters:
    ///   - askedSeconds: What the server asked for; never shortens the pause.
    ///   - random: From 0 up to 1.
    mutating func lengthen(askedSeconds: Double?, random: Double, uptime: Double) {
        seconds = seconds == 0 ? Self.firstSeconds : min(2 * seconds, Self.longestSeconds)
        let own = seconds * (0.5 + random)
        end = uptime + max(own, min(askedSeconds ?? 0, Self.longestAskedSeconds))
    }

    mutating func clear() { self = SendingPause() }
}

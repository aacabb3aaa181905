/// How long to wait between attempts that fail: twice as long each time, up to a limit. Pure: no clock, no chance of its own.
///
/// Each pause is a random time between half of that and one and a half times that, so that devices that failed together do
/// not come back together.
package struct Backoff: Sendable, Equatable {
    /// The longest pause that a server can ask for with `Retry-After`: a day.
    package static let longestRequestedSeconds = 86_400.0

    package let firstSeconds: Double
    package let longestSeconds: Double
    /// The last pause before chance changed it; 0 after a success.
    package private(set) var lastSeconds: Double

    /// - Parameter lastSeconds: What ``lastSeconds`` was when the backoff was stored; out of range, it counts as none.
    package init(firstSeconds: Double, longestSeconds: Double, lastSeconds: Double = 0) {
        self.firstSeconds = firstSeconds
        self.longestSeconds = longestSeconds
        self.lastSeconds = (0...longestSeconds).contains(lastSeconds) ? lastSeconds : 0
    }

    /// The pause after one more failure, in seconds.
    ///
    /// - Parameters:
    ///   - requestedSeconds: What the server asked for. The pause is never shorter, and a random time longer.
    ///   - random: From 0 up to, but not including, 1.
    package mutating func next(requestedSeconds: Double? = nil, random: Double) -> Double {
        lastSeconds = lastSeconds == 0 ? firstSeconds : min(2 * lastSeconds, longestSeconds)
        let own = lastSeconds * (0.5 + random)
        guard let requestedSeconds, requestedSeconds > 0 else { return own }
        return max(own, min(requestedSeconds, Self.longestRequestedSeconds) + lastSeconds * random)
    }

    /// The next pause is the first one again.
    package mutating func reset() { lastSeconds = 0 }
}

/// When the next attempt may begin after attempts that failed, in seconds of ``DeviceClock/uptime()``: a wrong time of day
/// does not matter, and a new process may try immediately. Pure.
package struct RetryTimer: Sendable, Equatable {
    private var backoff: Backoff
    private var end = 0.0

    package init(_ backoff: Backoff) { self.backoff = backoff }

    /// 0 when an attempt may begin.
    package func secondsLeft(uptime: Double) -> Double { max(0, end - uptime) }

    /// Makes the next attempt wait. The parameters are those of ``Backoff/next(requestedSeconds:random:)``.
    package mutating func recordFailure(requestedSeconds: Double? = nil, random: Double, uptime: Double) {
        end = uptime + backoff.next(requestedSeconds: requestedSeconds, random: random)
    }

    /// The next attempt may begin immediately.
    package mutating func reset() {
        backoff.reset()
        end = 0
    }
}

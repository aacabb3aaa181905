/// How long to wait between attempts that fail: twice as long each time, up to a limit. Pure: callers pass time and
/// random numbers.
///
/// Each backoff is a random time between a half and one and a half of that time, so that devices that failed together
/// do not come back together.
package struct Backoff: Sendable, Equatable {
    /// The longest backoff that a server can ask for with `Retry-After`: a day.
    package static let longestRequestedSeconds = 86_400.0

    package let firstSeconds: Double
    package let longestSeconds: Double
    /// The last backoff before the random change; 0 after a success.
    package private(set) var lastSeconds: Double

    /// Makes a backoff.
    ///
    /// - Parameter lastSeconds: The ``lastSeconds`` of a stored backoff; out of range, it counts as 0.
    package init(firstSeconds: Double, longestSeconds: Double, lastSeconds: Double = 0) {
        self.firstSeconds = firstSeconds
        self.longestSeconds = longestSeconds
        self.lastSeconds = (0...longestSeconds).contains(lastSeconds) ? lastSeconds : 0
    }

    /// The backoff after one more failure, in seconds.
    ///
    /// - Parameters:
    ///   - requestedSeconds: What the server asked for. The backoff is never shorter, and a random time longer.
    ///   - random: From 0 up to, but not including, 1.
    package mutating func next(requestedSeconds: Double? = nil, random: Double) -> Double {
        lastSeconds = lastSeconds == 0 ? firstSeconds : min(2 * lastSeconds, longestSeconds)
        let own = lastSeconds * (0.5 + random)
        guard let requestedSeconds, requestedSeconds > 0 else { return own }
        return max(own, min(requestedSeconds, Self.longestRequestedSeconds) + lastSeconds * random)
    }

    /// Call it after a success: the next backoff is the first one again.
    package mutating func reset() { lastSeconds = 0 }
}

/// When the next attempt may begin after attempts that failed, in seconds of ``DeviceClock/uptime()``: so a wrong time
/// of day has no effect, and a new process may try immediately. Pure.
package struct RetryTimer: Sendable, Equatable {
    private var backoff: Backoff
    private var end = 0.0

    package init(_ backoff: Backoff) { self.backoff = backoff }

    /// The seconds before the next attempt; 0 when it may begin.
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

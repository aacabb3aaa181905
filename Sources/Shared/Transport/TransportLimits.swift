/// The limits of a request in the units that curl takes, checked. Pure.
struct TransportLimits {
    let connectTimeoutMilliseconds: Int
    let deadline: ContinuousClock.Instant?
    let stall: Duration?
    let bytesPerSecond: UInt64?

    /// - Throws: `badRequest` for times that are not positive numbers and for a rate of zero.
    init(_ request: TransportRequest, now: ContinuousClock.Instant) throws(TransportError) {
        let connect = try Self.duration(request.connectTimeoutSeconds, "connect timeout")
        connectTimeoutMilliseconds = Self.milliseconds(connect)
        deadline = try request.totalTimeoutSeconds.map { seconds throws(TransportError) in
            now + (try Self.duration(seconds, "total timeout"))
        }
        guard request.maxBytesPerSecond != 0 else {
            throw TransportError(.badRequest, "the rate cap is 0 bytes per second; use a positive number or none")
        }
        bytesPerSecond = request.maxBytesPerSecond
        stall = try request.stallTimeoutSeconds.map { seconds throws(TransportError) in
            try Self.duration(seconds, "stall timeout")
        }
    }

    /// What is left of the total time; `nil` without a limit.
    ///
    /// - Throws: `timedOut` when nothing is left.
    func remainingMilliseconds(now: ContinuousClock.Instant, host: String) throws(TransportError) -> Int? {
        guard let deadline else { return nil }
        guard now < deadline else {
            throw TransportError(.timedOut, "\(host) did not answer in the time allowed; try again or allow more")
        }
        return Self.milliseconds(deadline - now)
    }

    /// Longer times than a month are cut to one, far below every overflow.
    private static func duration(_ seconds: Double, _ name: String) throws(TransportError) -> Duration {
        guard seconds > 0 else {
            throw TransportError(.badRequest, "the \(name) is not a positive number of seconds")
        }
        return .seconds(min(seconds, 30 * 24 * 3600))
    }

    /// At least 1: curl reads 0 as "no limit".
    private static func milliseconds(_ duration: Duration) -> Int {
        max(1, Int(duration / .milliseconds(1)))
    }
}

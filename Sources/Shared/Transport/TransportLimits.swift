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
            throw .timedOut(host)
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

/// Notices that a transfer stands still. Pure: it is told the time.
struct StallDetector {
    /// How long nothing may move; `nil` for ever.
    let limit: Duration?

    private var bytesMoved: UInt64 = 0
    private var lastMove: ContinuousClock.Instant

    init(limit: Duration?, now: ContinuousClock.Instant) {
        self.limit = limit
        lastMove = now
    }

    /// Told at intervals how many bytes moved in all; says whether the limit has passed since the last change.
    ///
    /// - Parameter isConnected: before that, the connect timeout is in charge.
    mutating func isStalled(bytesMoved: UInt64, isConnected: Bool, now: ContinuousClock.Instant) -> Bool {
        if bytesMoved != self.bytesMoved || !isConnected {
            self.bytesMoved = bytesMoved
            lastMove = now
        }
        guard let limit else { return false }
        return now - lastMove >= limit
    }
}

/// Spreads bytes over time. Pure: it is told the time and answers how long to wait.
///
/// curl's own limit is not used: up to a second's worth and more passes it unhindered, which is a whole small model.
struct RatePacer {
    /// `nil` for no cap.
    let bytesPerSecond: UInt64?

    private let start: ContinuousClock.Instant
    private var bytes: UInt64 = 0

    init(bytesPerSecond: UInt64?, now: ContinuousClock.Instant) {
        self.bytesPerSecond = bytesPerSecond
        start = now
    }

    /// Counts `bytes` that just moved. Returns how long to wait before moving more.
    mutating func pause(after bytes: Int, now: ContinuousClock.Instant) -> Duration {
        guard let bytesPerSecond else { return .zero }
        self.bytes &+= UInt64(bytes)
        let due = start + .seconds(Double(self.bytes) / Double(bytesPerSecond))
        return max(.zero, due - now)
    }
}

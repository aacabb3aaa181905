/// The checked limits of a request, in the units that curl takes. Pure.
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

    /// The milliseconds that are left of the total time; nil without a limit.
    ///
    /// - Throws: `timedOut` when no time is left.
    func remainingMilliseconds(now: ContinuousClock.Instant, host: String) throws(TransportError) -> Int? {
        guard let deadline else { return nil }
        guard now < deadline else {
            throw .timedOut(host)
        }
        return Self.milliseconds(deadline - now)
    }

    /// Times are limited to a month, which is far below every overflow.
    private static func duration(_ seconds: Double, _ name: String) throws(TransportError) -> Duration {
        guard seconds > 0 else {
            throw TransportError(.badRequest, "the \(name) is not a positive number of seconds")
        }
        return .seconds(min(seconds, 30 * 24 * 3600))
    }

    /// At least 1, because curl reads 0 as "no limit".
    private static func milliseconds(_ duration: Duration) -> Int {
        max(1, Int(duration / .milliseconds(1)))
    }
}

/// Finds out that a transfer has stalled. Pure: callers pass the time.
struct StallDetector {
    /// How long no byte may move; nil for no limit.
    let limit: Duration?

    private var bytesMoved: UInt64 = 0
    private var lastMove: ContinuousClock.Instant

    init(limit: Duration?, now: ContinuousClock.Instant) {
        self.limit = limit
        lastMove = now
    }

    /// Takes the number of bytes that have moved so far, and returns whether it has stayed the same for the limit. Call
    /// it at intervals.
    ///
    /// - Parameter isConnected: While false, the connect timeout applies instead.
    mutating func isStalled(bytesMoved: UInt64, isConnected: Bool, now: ContinuousClock.Instant) -> Bool {
        if bytesMoved != self.bytesMoved || !isConnected {
            self.bytesMoved = bytesMoved
            lastMove = now
        }
        guard let limit else { return false }
        return now - lastMove >= limit
    }
}

/// Limits the rate of bytes. Pure: callers pass the time, and get how long to wait.
///
/// Hearth does not use curl's own limit: it does not delay the first second's bytes and more, which is a whole small
/// model.
struct RatePacer {
    /// nil for no limit.
    let bytesPerSecond: UInt64?

    private let start: ContinuousClock.Instant
    private var bytes: UInt64 = 0

    init(bytesPerSecond: UInt64?, now: ContinuousClock.Instant) {
        self.bytesPerSecond = bytesPerSecond
        start = now
    }

    /// Counts `bytes` that have just moved. Returns how long to wait before further bytes.
    mutating func pause(after bytes: Int, now: ContinuousClock.Instant) -> Duration {
        guard let bytesPerSecond else { return .zero }
        self.bytes &+= UInt64(bytes)
        let due = start + .seconds(Double(self.bytes) / Double(bytesPerSecond))
        return max(.zero, due - now)
    }
}

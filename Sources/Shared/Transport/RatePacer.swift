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

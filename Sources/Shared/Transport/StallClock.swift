/// Notices that a transfer stands still. Pure: it is told the time.
struct StallClock {
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

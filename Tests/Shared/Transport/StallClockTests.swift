import Testing

@testable import HearthTransport

@Suite("Stall clock") struct StallClockTests {
    /// What the clock says each time it is told that after `seconds` so many `bytes` had moved.
    private func strikes(
        limit: Duration?, connected: [Bool], bytes: [UInt64], seconds: [Double]
    ) -> [Bool] {
        let start = ContinuousClock.now
        var clock = StallClock(limit: limit, now: start)
        var strikes: [Bool] = []
        for (index, second) in seconds.enumerated() {
            strikes.append(
                clock.isStalled(
                    bytesMoved: bytes[index], isConnected: connected[index], now: start + .seconds(second)))
        }
        return strikes
    }

    @Test("It strikes when nothing has moved for the limit, and starts over when something moves")
    func limit() {
        let strikes = strikes(
            limit: .seconds(10), connected: [true, true, true, true], bytes: [1, 1, 1, 2], seconds: [1, 10.9, 11, 12])
        #expect(strikes == [false, false, true, false])
    }

    @Test("Connecting is the connect timeout's business")
    func connecting() {
        let strikes = strikes(limit: .seconds(1), connected: [false, true], bytes: [0, 0], seconds: [60, 61])
        #expect(strikes == [false, true])
    }

    @Test("Without a limit it never strikes")
    func unlimited() {
        #expect(strikes(limit: nil, connected: [true], bytes: [0], seconds: [1_000_000]) == [false])
    }
}

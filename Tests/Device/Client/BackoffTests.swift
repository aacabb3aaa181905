import HearthClient
import Testing

@Suite("Backoff") struct BackoffTests {
    private func pauses(_ count: Int, random: Double = 0.5, requested: Double? = nil) -> [Double] {
        var backoff = Backoff(firstSeconds: 3, longestSeconds: 20)
        return (0..<count).map { _ in backoff.next(requestedSeconds: requested, random: random) }
    }

    @Test("Doubles up to the longest pause")
    func doubles() { #expect(pauses(6) == [3, 6, 12, 20, 20, 20]) }

    @Test("Is between half and one and a half of the time", arguments: [(0.0, 1.5), (0.25, 2.25), (0.75, 3.75)])
    func spread(random: Double, expected: Double) { #expect(pauses(1, random: random) == [expected]) }

    @Test("Is never shorter than the server asked for, and devices that failed together come back apart")
    func requested() {
        #expect(pauses(1, random: 0, requested: 100) == [100])
        #expect(pauses(1, random: 0.5, requested: 100) == [101.5])
        #expect(pauses(2, random: 0.5, requested: 1) == [3, 6], "a shorter request changes nothing")
        #expect(pauses(1, random: 0, requested: 1e300) == [Backoff.longestRequestedSeconds])
    }

    @Test("Begins again after a success")
    func reset() {
        var backoff = Backoff(firstSeconds: 3, longestSeconds: 20)
        for _ in 1...5 { _ = backoff.next(random: 0.5) }
        backoff.reset()
        #expect(backoff.next(random: 0.5) == 3)
    }

    @Test(
        "Continues from a stored backoff, and treats a malformed one as none",
        arguments: [(3.0, 6.0), (20, 20), (21, 3), (-1, 3), (.nan, 3)])
    func stored(last: Double, next: Double) {
        var backoff = Backoff(firstSeconds: 3, longestSeconds: 20, lastSeconds: last)
        #expect(backoff.next(random: 0.5) == next)
    }
}

@Suite("The time of the next attempt") struct RetryTimerTests {
    @Test("Counts down by uptime, and is over after a success")
    func countsDown() {
        var timer = RetryTimer(Backoff(firstSeconds: 10, longestSeconds: 100))
        #expect(timer.secondsLeft(uptime: 5) == 0)
        timer.recordFailure(random: 0.5, uptime: 5)
        #expect(timer.secondsLeft(uptime: 6) == 9)
        #expect(timer.secondsLeft(uptime: 15) == 0)
        timer.recordFailure(requestedSeconds: 50, random: 0, uptime: 15)
        #expect(timer.secondsLeft(uptime: 15) == 50)
        timer.reset()
        #expect(timer.secondsLeft(uptime: 15) == 0)
    }
}

import HearthApp
import HearthClient
import HearthDeliveryTesting
import Synchronization
import Testing

@Suite("The fake clock")
struct FakeClockTests {
    @Test("Actions run when their time has come, in order, and not after a cancellation")
    func timers() {
        let clock = FakeClock(secondsSince1970: 1000)
        let seen = Mutex<[Double]>([])
        let late = clock.schedule(afterSeconds: 20) { seen.withLock { $0.append(clock.secondsSince1970) } }
        let cancelled = clock.schedule(afterSeconds: 15) { seen.withLock { $0.append(-1) } }
        _ = clock.schedule(afterSeconds: 10) { seen.withLock { $0.append(clock.secondsSince1970) } }
        cancelled.cancel()
        clock.advance(bySeconds: 9)
        #expect(seen.withLock { $0 }.isEmpty)
        clock.advance(bySeconds: 100)
        #expect(seen.withLock { $0 } == [1010, 1020])
        #expect(clock.secondsSince1970 == 1109)
        late.cancel()
    }

    @Test("Waiting takes no time and moves the clock")
    func waiting() {
        let clock = FakeClock(secondsSince1970: 0)
        clock.wait(seconds: 2.5, cancellation: nil)
        #expect(clock.secondsSince1970 == 2.5)
        #expect(clock.waits == [2.5])
    }

    @Test("Setting the time of day lets no time pass")
    func jumps() {
        let clock = FakeClock(secondsSince1970: 1000)
        clock.setTimeOfDay(secondsSince1970: 1_000_000)
        #expect(clock.uptime() == 0)
        #expect(clock.secondsSince1970 == 1_000_000)
    }

    @Test("Malformed times do no harm", arguments: [Double.nan, .infinity, -.infinity, 1e300, -1])
    func extremes(seconds: Double) {
        let clock = FakeClock(secondsSince1970: seconds)
        clock.setTimeOfDay(secondsSince1970: 1000)
        _ = clock.schedule(afterSeconds: seconds) {}
        clock.advance(bySeconds: seconds)
        clock.wait(seconds: seconds, cancellation: nil)
        #expect(clock.secondsSince1970 >= 1000)
        #expect(clock.uptime() >= 0)
    }
}

import HearthCatalog
import HearthIdentity
import Testing

@Suite("The watch over the clocks") struct ClockWatchTests {
    private static let day: Int64 = 86_400
    /// The steady clock begins somewhere.
    private static let steadyStart: Int64 = 5_000

    /// A reading `passed` seconds after the start, with the time of day `shift` seconds off.
    private func reading(_ passed: Int64, shift: Int64 = 0) -> ClockReading {
        ClockReading(
            wallMicroseconds: (Sample.now + passed + shift) * 1_000_000,
            monotonicMicroseconds: (Self.steadyStart + passed) * 1_000_000)
    }

    private func micro(_ seconds: Int64) -> Int64 { (Sample.now + seconds) * 1_000_000 }

    /// One look, with all written down as the server does.
    private func look(_ watch: inout ClockMonitor, _ reading: ClockReading) -> ClockMonitor.Jump? {
        let jump = watch.look(reading)
        watch.settle(reading, hasMarked: watch.mark(reading) != nil)
        return jump
    }

    private func signing(_ watch: ClockMonitor, _ reading: ClockReading) -> Int64 {
        reading.monotonicMicroseconds + watch.signingOffset
    }

    @Test("Ten seconds are a correction, one microsecond more is a jump, either way", arguments: [1, -1] as [Int64])
    func tolerance(sign: Int64) {
        var watch = ClockMonitor(reading(0))
        #expect(look(&watch, reading(1, shift: 10 * sign)) == nil)
        var next = reading(2, shift: 20 * sign)
        #expect(watch.look(next) == nil)
        next.wallMicroseconds += 10_000_000 * sign + sign
        let jump = watch.look(next)
        #expect(
            jump == .init(fromMicroseconds: micro(2 + 20 * sign), toMicroseconds: micro(2 + 30 * sign) + sign))
        #expect(watch.look(next) == nil, "told once")
    }

    @Test("A clock that goes back lets nothing pass anew before what had passed was written down")
    func back() {
        var watch = ClockMonitor(reading(0))
        let later = reading(10, shift: -7200)
        _ = watch.look(later)
        #expect(watch.passed(later) == micro(10), "by this all that ended is made a fact")
        #expect(watch.mark(later) == ClockCheckpoint(passedMicroseconds: micro(10), signedMicroseconds: micro(10)))
        watch.settle(later, hasMarked: true)
        #expect(watch.passed(later) == micro(10 - 7200), "from then on the time of day counts")
        #expect(signing(watch, later) == micro(10), "tokens go by a clock that does not go back")
    }

    @Test("A time far ahead ends nothing for good before ten minutes are over")
    func doubt() {
        var watch = ClockMonitor(reading(0))
        #expect(look(&watch, reading(1, shift: 400 * Self.day)) != nil)
        let last = reading(600, shift: 400 * Self.day)
        #expect(look(&watch, last) == nil)
        #expect(watch.passed(last) == micro(600) && signing(watch, last) == micro(600))
        let settled = reading(601, shift: 400 * Self.day)
        #expect(look(&watch, settled) == nil)
        #expect(watch.passed(settled) == settled.wallMicroseconds)
        #expect(signing(watch, settled) == settled.wallMicroseconds)
    }

    @Test("A time that was ahead for a moment leaves nothing behind")
    func glitch() {
        var watch = ClockMonitor(reading(0))
        #expect(look(&watch, reading(1, shift: 400 * Self.day)) != nil)
        #expect(look(&watch, reading(2)) != nil)
        let after = reading(10_000)
        #expect(look(&watch, after) == nil)
        #expect(watch.passed(after) == micro(10_000) && signing(watch, after) == micro(10_000))
    }

    @Test("After a time that was ahead for long, tokens are signed ahead, and planned ends go by the time of day")
    func longAhead() {
        var watch = ClockMonitor(reading(0))
        _ = look(&watch, reading(1, shift: 400 * Self.day))
        _ = look(&watch, reading(700, shift: 400 * Self.day))
        let after = reading(800)
        _ = look(&watch, after)
        #expect(watch.passed(after) == micro(800))
        #expect(signing(watch, after) == micro(800) + 400 * Self.day * 1_000_000)
    }

    @Test("A start goes on from what was written down, also when the time of day is behind that")
    func start() {
        let mark = ClockCheckpoint(passedMicroseconds: micro(100), signedMicroseconds: micro(200))
        let behind = ClockMonitor(reading(0), mark: mark)
        #expect(behind.passed(reading(0)) == micro(100) && signing(behind, reading(0)) == micro(200))
        let soon = ClockMonitor(reading(0, shift: 110), mark: mark)
        #expect(soon.passed(reading(0)) == micro(110) && !soon.isSuspect, "ten seconds are a correction")
        var later = ClockMonitor(reading(0, shift: 111), mark: mark)
        #expect(later.passed(reading(0)) == micro(100) && later.isSuspect, "more is a rest, or a clock that is ahead")
        #expect(signing(later, reading(0)) == micro(200))
        _ = look(&later, reading(599, shift: 111))
        #expect(later.passed(reading(599)) == micro(699) && later.isSuspect)
        _ = look(&later, reading(600, shift: 111))
        #expect(later.passed(reading(600)) == micro(711) && !later.isSuspect, "believed after ten minutes")
        #expect(ClockMonitor(reading(0)).passed(reading(0)) == micro(0), "a new folder knows nothing better")
    }

    @Test("The clocks are written down every ten minutes, and at the end")
    func marks() {
        var watch = ClockMonitor(reading(0))
        #expect(watch.mark(reading(0)) != nil)
        watch.settle(reading(0), hasMarked: true)
        #expect(watch.mark(reading(599)) == nil && watch.mark(reading(600)) != nil)
        #expect(watch.mark(reading(1), isDue: true) != nil)
    }

    @Test("Absurd times overflow nothing")
    func absurd() {
        var watch = ClockMonitor(reading(0))
        for wall in [Int64.max, .min, 0, .max] {
            _ = look(&watch, ClockReading(wallMicroseconds: wall, monotonicMicroseconds: 1))
        }
        _ = ClockMonitor(reading(0), mark: ClockCheckpoint(passedMicroseconds: .min, signedMicroseconds: .max))
    }
}

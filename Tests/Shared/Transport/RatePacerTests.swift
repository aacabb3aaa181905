import Testing

@testable import HearthTransport

@Suite("Rate pacer") struct RatePacerTests {
    let start = ContinuousClock.now

    @Test("Bytes wait until their time has come, counted from the start")
    func pauses() {
        var pacer = RatePacer(bytesPerSecond: 100, now: start)
        let early = pacer.pause(after: 100, now: start)
        let later = pacer.pause(after: 50, now: start + .seconds(1.25))
        let late = pacer.pause(after: 0, now: start + .seconds(9))
        #expect(early == .seconds(1))
        #expect(later == .seconds(0.25))
        #expect(late == .zero)
    }

    @Test("No cap, no pause")
    func unlimited() {
        var pacer = RatePacer(bytesPerSecond: nil, now: start)
        let pause = pacer.pause(after: .max, now: start)
        #expect(pause == .zero)
    }
}

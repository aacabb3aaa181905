import Testing

@testable import HearthHTTP

/// How slow a peer may be, at moments that the tests choose.
struct PeerPaceTests {
    private static let rules = PeerRateLimits(headTime: .seconds(30), leastBytesPerSecond: 500, window: .seconds(30))

    /// A connection with a clock of its own.
    private struct Watched {
        var rules = PeerPaceTests.rules
        var now = Duration.seconds(100)
        var pace: PeerRateMonitor?
        var request: UInt64 = 0
        var facts: SocketStatistics? = SocketStatistics(
            receivedBytes: 0, unreadBytes: 0, confirmedBytes: 0, waitForPeer: false)

        init(_ change: (inout PeerRateLimits) -> Void = { _ in }) { change(&rules) }

        /// Looks every second for so long, and changes the facts before each look; the seconds after which it has to end.
        mutating func pass(
            _ seconds: Int, _ phase: ConnectionPhase, _ change: (inout SocketStatistics, Int) -> Void = { _, _ in }
        ) -> (DisconnectReason, after: Int)? {
            for second in 0...seconds {
                if second > 0 { now += .seconds(1) }
                if facts != nil { change(&facts!, second) }
                let look = PeerRateMonitor.Look(phase: phase, request: request, socket: facts)
                var pace = pace ?? PeerRateMonitor(look, now: now)
                let reason = pace.judge(look, now: now, rules: rules)
                self.pace = pace
                if let reason { return (reason, second) }
            }
            return nil
        }
    }

    @Test func aHeadHasToBeCompleteInTime() {
        var peer = Watched()
        let end = peer.pass(60, .head) { facts, _ in facts.receivedBytes += 1 }
        #expect(end?.0 == .slowHead)
        #expect(end?.after == 30)
    }

    @Test func aHeadThatIsCompleteJustInTimeIsFine() {
        var peer = Watched()
        #expect(peer.pass(29, .head) == nil)
        #expect(peer.pass(1000, .working) == nil)
    }

    @Test func theTimeOfAHeadBeginsWithItsFirstByte() {
        var peer = Watched()
        #expect(peer.pass(50, .idle) == nil, "nothing has come yet")
        let end = peer.pass(60, .idle) { facts, _ in facts.receivedBytes += 1 }
        #expect(end?.0 == .slowHead)
        #expect(end?.after == 30, "the request line counts")
    }

    @Test func theRequestLineAndTheFieldsShareTheTime() {
        var peer = Watched()
        #expect(peer.pass(20, .idle) { facts, _ in facts.receivedBytes += 1 } == nil)
        #expect(peer.pass(20, .head)?.after == 10)
    }

    @Test func eachRequestHasItsOwnTime() {
        var peer = Watched()
        for request in 0..<10 as Range<UInt64> {
            peer.request = request
            #expect(peer.pass(20, .head) { facts, _ in facts.receivedBytes += 1 } == nil)
        }
        peer.request = 10
        #expect(peer.pass(500, .idle) == nil, "what came with earlier requests is no next one")
        #expect(peer.pass(60, .idle) { facts, second in facts.receivedBytes += second == 5 ? 1 : 0 }?.after == 35)
    }

    @Test func aHeadThatTheServerHasNotReadIsNotHeldAgainstThePeer() {
        var peer = Watched()
        #expect(peer.pass(500, .head) { facts, _ in facts.unreadBytes = 100 } == nil)
        #expect(peer.pass(60, .head) { facts, _ in facts.unreadBytes = 0 }?.after == 30)
    }

    @Test func aBodyHasToArriveWithTheLeastRate() {
        var enough = Watched()
        #expect(enough.pass(600, .receiving) { facts, _ in facts.receivedBytes += 500 } == nil)
        var tooLittle = Watched()
        let end = tooLittle.pass(600, .receiving) { facts, _ in facts.receivedBytes += 499 }
        #expect(end?.0 == .slowBody)
        #expect(end?.after == 30)
    }

    @Test func aPauseWithinAWindowIsFine() {
        var peer = Watched()
        #expect(peer.pass(600, .receiving) { $0.receivedBytes += $1 % 30 == 15 ? 15_000 : 0 } == nil)
    }

    @Test func aBodyThatTheServerHoldsUpGoesOn() {
        var peer = Watched()
        #expect(peer.pass(600, .receiving) { facts, _ in facts.unreadBytes = 1 } == nil)
        #expect(peer.pass(600, .receiving) { facts, _ in facts.unreadBytes = 0 }?.after == 30)
    }

    @Test func anAnswerHasToBeTakenWithTheLeastRate() {
        var enough = Watched()
        enough.facts?.waitForPeer = true
        #expect(enough.pass(600, .answering) { facts, _ in facts.confirmedBytes += 500 } == nil)
        var tooLittle = Watched()
        tooLittle.facts?.waitForPeer = true
        let end = tooLittle.pass(600, .answering) { facts, _ in facts.confirmedBytes += 499 }
        #expect(end?.0 == .slowReader)
        #expect(end?.after == 30)
    }

    @Test func aStreamWithNothingToSendGoesOn() {
        var peer = Watched()
        #expect(peer.pass(10_000, .answering) == nil)
        // A sign of life now and then, which a second later is confirmed.
        #expect(peer.pass(10_000, .answering) { $0.waitForPeer = $1 % 45 == 0 } == nil)
        #expect(peer.pass(600, .answering) { facts, _ in facts.waitForPeer = true }?.0 == .slowReader)
    }

    @Test func whatIsWorkedOnGoesOn() {
        var peer = Watched()
        #expect(peer.pass(10_000, .working) == nil)
    }

    @Test func zeroTurnsALimitOff() {
        var peer = Watched {
            $0.headTime = nil
            $0.leastBytesPerSecond = 0
        }
        peer.facts?.waitForPeer = true
        for phase in [ConnectionPhase.head, .receiving, .answering] { #expect(peer.pass(1000, phase) == nil) }
    }

    @Test func whereTheSystemDoesNotSayOnlyTheHeadIsTimed() {
        var peer = Watched()
        peer.facts = nil
        for phase in [ConnectionPhase.idle, .receiving, .answering] { #expect(peer.pass(1000, phase) == nil) }
        #expect(peer.pass(1000, .head)?.after == 30)
    }

    @Test func whatIsSlowOrWaitsMayGiveUpItsPlace() {
        var peer = Watched()
        _ = peer.pass(0, .idle)
        #expect(peer.pace?.isEvictable(now: peer.now) == false, "it was not there a moment ago")
        _ = peer.pass(1, .idle)
        #expect(peer.pace?.isEvictable(now: peer.now) == true)
        _ = peer.pass(1, .head)
        #expect(peer.pace?.isEvictable(now: peer.now) == true)
        _ = peer.pass(20, .working)
        #expect(peer.pace?.isEvictable(now: peer.now) == false)
        _ = peer.pass(20, .receiving) { facts, _ in facts.receivedBytes += 7999 }
        #expect(peer.pace?.isEvictable(now: peer.now) == true)
    }

    @Test func aTransferThatFlowsWellKeepsItsPlace() {
        var peer = Watched()
        _ = peer.pass(4, .receiving)
        #expect(peer.pace?.isEvictable(now: peer.now) == false, "nobody can tell yet")
        _ = peer.pass(40, .receiving) { facts, _ in facts.receivedBytes += 8001 }
        #expect(peer.pace?.isEvictable(now: peer.now) == false)
        _ = peer.pass(100, .answering)
        #expect(peer.pace?.isEvictable(now: peer.now) == false, "a stream with nothing to send")
    }
}

import HearthCatalog
import HearthIdentity
import Testing

@Suite("Planned ends") struct PlannedEndsTests {
    private func moment(wall: Int64, steady: Int64) -> ServerClock.Moment {
        .init(
            wallMicroseconds: wall, expiryMicroseconds: wall, signingMicroseconds: wall, monotonicMicroseconds: steady)
    }

    @Test("An end comes when the time of day passes it, or when as much time has gone by as was left")
    func either() {
        var ends = PlannedExpirations()
        ends.update(["a": 1000], at: moment(wall: 900, steady: 10))
        #expect(ends.passed(byMicroseconds: 999, monotonicMicroseconds: 109).isEmpty)
        #expect(ends.passed(byMicroseconds: 1000, monotonicMicroseconds: 10) == ["a"])
        #expect(ends.passed(byMicroseconds: 0, monotonicMicroseconds: 110) == ["a"])
    }

    @Test("What was left when it was first seen counts, whatever the clock says later")
    func firstSeen() {
        var ends = PlannedExpirations()
        ends.update(["a": 1000], at: moment(wall: 900, steady: 10))
        ends.update(["a": 1000, "b": 2000], at: moment(wall: 0, steady: 20))
        #expect(ends.passed(byMicroseconds: 0, monotonicMicroseconds: 110) == ["a"])
        ends.update(["b": 2000], at: moment(wall: 0, steady: 30))
        #expect(ends.passed(byMicroseconds: 0, monotonicMicroseconds: 2019).isEmpty)
        #expect(ends.passed(byMicroseconds: 0, monotonicMicroseconds: 2020) == ["b"])
    }

    @Test("What had passed by a clock that is ahead is no fact for that")
    func aheadAtFirst() {
        var ends = PlannedExpirations()
        ends.update(["a": 1000], at: moment(wall: 5000, steady: 10))
        #expect(ends.passed(byMicroseconds: 900, monotonicMicroseconds: .max - 1).isEmpty)
        ends.measure(at: moment(wall: 900, steady: 20))
        #expect(ends.passed(byMicroseconds: 900, monotonicMicroseconds: 120) == ["a"])
    }

    @Test("What was seen by a clock that is not believed is measured by the first one that is, and then no more")
    func unsure() {
        var ends = PlannedExpirations()
        ends.update(["a": 1000], at: moment(wall: 990, steady: 10), isSure: false)
        ends.update(["a": 1000, "new": 1040], at: moment(wall: 1030, steady: 15))
        #expect(ends.passed(byMicroseconds: 900, monotonicMicroseconds: 24).isEmpty)
        #expect(ends.passed(byMicroseconds: 900, monotonicMicroseconds: 25) == ["new"], "by the clock that planned it")
        ends.update(["a": 1000], at: moment(wall: 900, steady: 30))
        ends.measure(at: moment(wall: 900, steady: 30))
        ends.measure(at: moment(wall: 0, steady: 40))
        #expect(ends.passed(byMicroseconds: 900, monotonicMicroseconds: 129).isEmpty)
        #expect(ends.passed(byMicroseconds: 900, monotonicMicroseconds: 130) == ["a"])
    }

    @Test("An end on purpose is a fact at once, one in the future is not; a fact outlives every clock")
    func facts() throws {
        var key = try Sample.accountKey()
        key.end(atMicroseconds: 100, nowMicroseconds: 100)
        #expect(key.hasEnded && !key.isActive(atMicroseconds: .min) && key.endsMicroseconds == 100)
        key.end(atMicroseconds: 101, nowMicroseconds: 100)
        #expect(!key.hasEnded && key.isActive(atMicroseconds: 100) && !key.isActive(atMicroseconds: 101))
        key.end(atMicroseconds: 200, nowMicroseconds: 200)
        #expect(key.hasEnded && key.endsMicroseconds == 101, "its planned end was before")
    }

    private func token(_ id: String, by maker: String) -> AdminToken {
        AdminToken(
            id: id, projectID: "p", name: id, role: .owner, secretHash: "", createdMicroseconds: 0, createdBy: maker)
    }

    @Test("The tokens of an account are those that it made, and those made with these")
    func madeTokens() {
        let tokens = [
            token("3", by: "token:2"), token("1", by: "ann"), token("2", by: "token:1"), token("4", by: "bob"),
            token("5", by: "token:4"), token("6", by: "token:6"),
        ]
        #expect(IssuedTokens.of("ann", among: tokens).map(\.id) == ["3", "1", "2"])
        #expect(IssuedTokens.of("eve", among: tokens).isEmpty)
    }
}

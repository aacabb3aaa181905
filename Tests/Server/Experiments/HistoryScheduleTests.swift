import HearthExperiments
import Testing

struct HistoryScheduleTests {
    private static let minute: Int64 = 60_000_000

    @Test func theFirstPointIsDueAtOnceAndTheNextAfterAMinute() {
        #expect(HistorySchedule.isDue(lastMicroseconds: nil, startMicroseconds: 0, nowMicroseconds: 0))
        #expect(!HistorySchedule.isDue(lastMicroseconds: 5, startMicroseconds: 0, nowMicroseconds: Self.minute + 4))
        #expect(HistorySchedule.isDue(lastMicroseconds: 5, startMicroseconds: 0, nowMicroseconds: Self.minute + 5))
    }

    @Test func lateInAnExperimentPointsAreThreePercentOfItsTimeApart() {
        let last = 10_000 * Self.minute
        func isDue(_ minutes: Int64) -> Bool {
            HistorySchedule.isDue(
                lastMicroseconds: last, startMicroseconds: 0, nowMicroseconds: last + minutes * Self.minute)
        }
        #expect(!isDue(299))
        #expect(isDue(300))
        #expect(!isDue(-1), "somebody set the clock back")
    }

    /// Looked at each minute for half a year.
    @Test func aLongExperimentKeepsItsCurve() throws {
        var times: [Int64] = []
        for now in 0..<Int64(180 * 24 * 60) {
            guard
                HistorySchedule.isDue(
                    lastMicroseconds: times.last, startMicroseconds: 0, nowMicroseconds: now * Self.minute)
            else { continue }
            times.append(now * Self.minute)
            let surplus = HistorySchedule.surplus(times)
            times.removeAll(where: surplus.contains)
            #expect(times.count <= HistorySchedule.limit)
            #expect(times.last == now * Self.minute, "the newest point stays")
        }
        #expect(times.first == 0)
        #expect(times.count >= HistorySchedule.limit / 2)
        #expect(try #require(times.last) > 170 * 24 * 60 * Self.minute)
        #expect(times.count { $0 < 24 * 60 * Self.minute } > 30, "the first day has many")
    }
}

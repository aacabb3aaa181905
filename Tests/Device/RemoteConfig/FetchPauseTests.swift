import HearthWire
import Testing

@testable import HearthRemoteConfig

@Suite("Pauses that a busy server gets")
struct FetchPauseTests {
    private let now = Timestamp(seconds: 1_767_225_600)

    private func seconds(_ pause: FetchPause) -> Double? {
        pause.end(now: now).map { Double($0.microseconds - now.microseconds) / 1_000_000 }
    }

    @Test("from two minutes on twice as long each time, up to four hours, give or take a half")
    func doubling() {
        var pause = FetchPause()
        var lengths: [Double?] = []
        for _ in 0..<9 {
            pause.lengthen(askedSeconds: nil, random: 0.5, now: now)
            lengths.append(seconds(pause))
        }
        #expect(lengths == [120, 240, 480, 960, 1920, 3840, 7680, 14_400, 14_400])
        pause.lengthen(askedSeconds: nil, random: 0, now: now)
        #expect(seconds(pause) == 7200)
        pause.clear()
        pause.lengthen(askedSeconds: nil, random: 0.9999, now: now)
        #expect((179...180).contains(seconds(pause) ?? 0))
    }

    @Test("the server can ask for more, not for less, and for a day at most")
    func asked() {
        var pause = FetchPause()
        pause.lengthen(askedSeconds: 1, random: 0.5, now: now)
        #expect(seconds(pause) == 120)
        pause.lengthen(askedSeconds: 3600, random: 0.5, now: now)
        #expect(seconds(pause) == 3600)
        pause.lengthen(askedSeconds: 1e300, random: 0.5, now: now)
        #expect(seconds(pause) == 86_400)
    }

    @Test("an end that no pause can have comes from a wrong clock, and does not count")
    func wrongClock() {
        var pause = FetchPause()
        pause.lengthen(askedSeconds: nil, random: 0.5, now: now)
        #expect(pause.end(now: now.adding(seconds: 120)) == nil)
        #expect(pause.end(now: now.adding(seconds: -100_000)) == nil)
        #expect(pause.end(now: Timestamp(microseconds: .min)) == nil)
    }

    @Test("which statuses are those of a busy server", arguments: [429, 500, 503, 504])
    func busy(_ status: Int) {
        #expect(FetchPause.isBusy(status) && !FetchPause.isBusy(status + 5))
    }
}

import Testing

@testable import HearthDelivery

@Suite("When to look for a newer version")
struct RefreshRulesTests {
    private let temporary = DownloadFailure(.cannotConnect, "", error: .failedPrecondition, isTemporary: true)

    private func outcome(_ code: DownloadFailure.Code, isTemporary: Bool = false) -> RefreshRules.Outcome {
        RefreshRules.Outcome(.failure(DownloadFailure(code, "", error: .notFound, isTemporary: isTemporary)))
    }

    @Test("the first check comes within a tenth of the interval", arguments: [0, 0.5, 0.999])
    func first(random: Double) {
        let rules = RefreshRules(everySeconds: 3600)
        #expect(rules.firstPause(isInstalled: true, random: random) == 360 * random)
        #expect(rules.firstPause(isInstalled: false, random: random) == 5 * random, "it is waited for")
    }

    @Test("later ones come every interval, give or take a tenth", arguments: [(0, 3240), (0.5, 3600), (1, 3960)])
    func regular(random: Double, seconds: Double) {
        for outcome in [RefreshRules.Outcome.settled, .skipped] {
            var rules = RefreshRules(everySeconds: 3600)
            let pause = rules.pause(after: outcome, random: random)
            #expect(abs((pause ?? 0) - seconds) < 0.001)
        }
    }

    @Test("a check that fails is repeated sooner, then ever later, but not later than the interval")
    func failures() {
        var rules = RefreshRules(everySeconds: 200)
        let failed = RefreshRules.Outcome(.failure(temporary))
        let pauses = (0..<100).map { _ in rules.pause(after: failed, random: 1) }
        #expect(pauses.prefix(5) == [30, 60, 120, 200, 200])
        #expect(pauses.last == 200)
        _ = rules.pause(after: .settled, random: 0)
        #expect(rules.pause(after: failed, random: 0) == 15, "counted anew after a success, and spread over a half")
    }

    @Test("a server that asks for more time gets it")
    func retryAfter() {
        var rules = RefreshRules(everySeconds: 3600)
        #expect(rules.pause(after: .failed(retryAfterSeconds: 500), random: 0) == 500)
        #expect(rules.pause(after: .failed(retryAfterSeconds: 1), random: 1) == 60)
    }

    @Test("what would not go away soon is not asked for soon")
    func outcomes() {
        #expect(RefreshRules.Outcome(.failure(temporary)) == .failed(retryAfterSeconds: nil))
        let busy = DownloadFailure(
            .serverBusy, "", error: .resourceExhausted, isTemporary: true, retryAfterSeconds: 90)
        #expect(RefreshRules.Outcome(.failure(busy)) == .failed(retryAfterSeconds: 90))
        #expect(outcome(.notFound) == .settled)
        #expect(outcome(.unusable) == .settled)
        #expect(outcome(.conditionsNotMet, isTemporary: true) == .skipped)
        #expect(outcome(.appDeleted) == .over)
        var rules = RefreshRules(everySeconds: 60)
        #expect(rules.pause(after: .over, random: 0) == nil)
    }

    @Test(
        "an interval of nonsense becomes a sensible one",
        arguments: [(0, 60), (-5, 60), (.nan, 60), (-.infinity, 60), (.infinity, 31_622_400), (1e300, 31_622_400)])
    func nonsense(seconds: Double, interval: Double) {
        #expect(RefreshRules(everySeconds: seconds).interval == interval)
    }
}

import Testing

@testable import HearthApp

@Suite("When the server may be asked again")
struct InstallationBackoffTests {
    @Test(
        "what a status means",
        arguments: [
            (.create, 200, .success), (.create, 201, .success), (.renew, 204, .success), (.create, 400, .permanent),
            (.create, 403, .permanent), (.create, 404, .permanent), (.renew, 400, .permanent),
            (.renew, 403, .permanent), (.renew, 401, .neutral), (.renew, 404, .neutral), (.create, 401, .temporary),
            (.create, 429, .temporary), (.renew, 429, .temporary), (.create, 500, .temporary),
            (.renew, 503, .temporary), (.create, 302, .temporary), (.renew, 418, .temporary),
        ] as [(InstallationBackoff.Call, Int, InstallationBackoff.Verdict)])
    func verdicts(call: InstallationBackoff.Call, status: Int, expected: InstallationBackoff.Verdict) {
        #expect(InstallationBackoff.Verdict.of(call, status: status) == expected)
    }

    private func pauses(_ verdicts: [InstallationBackoff.Verdict], retryAfter: Double? = nil) -> [Double] {
        var backoff = InstallationBackoff()
        return verdicts.enumerated().map { index, verdict in
            backoff.note(verdict, retryAfterSeconds: retryAfter, random: 0.25, uptime: Double(index))
            return backoff.secondsLeft(uptime: Double(index))
        }
    }

    @Test("twice as long each time, up to half an hour")
    func exponential() {
        let expected: [Double] = [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024].map { $0 + 0.25 } + [1800, 1800]
        #expect(pauses(Array(repeating: .temporary, count: 12)) == expected)
        #expect(pauses(Array(repeating: .temporary, count: 5000)).last == 1800)
    }

    @Test("a day for what only a change of the configuration cures")
    func permanent() { #expect(pauses([.permanent, .permanent]) == [86_400, 86_400]) }

    @Test("a success ends it; what is handled otherwise changes nothing; another kind begins anew")
    func sequences() {
        #expect(pauses([.temporary, .temporary, .success, .temporary]) == [2.25, 4.25, 0, 2.25])
        #expect(pauses([.temporary, .neutral, .temporary]) == [2.25, 1.25, 4.25])
        #expect(pauses([.temporary, .permanent, .temporary]) == [2.25, 86_400, 2.25])
    }

    @Test(
        "the server's own wish makes a pause longer, never shorter, and not endless",
        arguments: [(0, 2.25), (1, 2.25), (100, 100), (86_400, 86_400), (1e300, 86_400), (-5, 2.25), (.nan, 2.25)])
    func retryAfter(seconds: Double, expected: Double) {
        #expect(pauses([.temporary], retryAfter: seconds) == [expected])
    }

    @Test("time runs by the clock that does not jump")
    func elapses() {
        var backoff = InstallationBackoff()
        backoff.note(.temporary, random: 0, uptime: 1000)
        #expect(backoff.secondsLeft(uptime: 1001.5) == 0.5)
        #expect(backoff.secondsLeft(uptime: 1002) == 0)
        #expect(backoff.secondsLeft(uptime: 9999) == 0)
    }
}

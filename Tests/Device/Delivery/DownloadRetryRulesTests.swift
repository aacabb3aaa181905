import HearthTransport
import HearthWire
import Testing

@testable import HearthDelivery

@Suite("What follows a failed attempt")
struct DownloadRetryRulesTests {
    private let rules = RetryRules(attemptLimit: 100, deadlineSeconds: 10_000)

    private func failure(
        _ code: DownloadFailure.Code = .cannotConnect, isTemporary: Bool = true, retryAfter: Double? = nil
    ) -> DownloadFailure {
        DownloadFailure(
            code, "x", error: .failedPrecondition, isTemporary: isTemporary, retryAfterSeconds: retryAfter)
    }

    @Test(
        "pauses double from half a second to a minute",
        arguments: [
            (1, 0.5), (2, 1), (3, 2), (4, 4), (5, 8), (6, 16), (7, 32), (8, 60), (9, 60), (40, 60), (99, 60),
        ])
    func doubling(attempt: Int, full: Double) {
        for (random, share) in [(0.0, 0.5), (0.5, 0.75), (0.999_999, 1.0)] {
            let action = rules.next(after: failure(), attempt: attempt, elapsedSeconds: 0, random: random)
            guard case .wait(let seconds) = action else {
                Issue.record("given up")
                continue
            }
            #expect(abs(seconds - full * share) < 0.001)
        }
    }

    @Test("with the usual settings, five attempts without a connection take less than eight seconds")
    func usualSettings() {
        let settings = DeliverySettings()
        let rules = RetryRules(attemptLimit: settings.attemptLimit, deadlineSeconds: settings.deadlineSeconds)
        var elapsed = 0.0
        var attempt = 1
        while case .wait(let seconds) = rules.next(
            after: failure(), attempt: attempt, elapsedSeconds: elapsed, random: 0.999)
        {
            elapsed += seconds
            attempt += 1
        }
        #expect(attempt == 5)
        #expect(elapsed < 8)
    }

    @Test(
        "what may pass is tried again, and nothing else",
        arguments: [
            (.hostNotFound, true), (.cannotConnect, true), (.truncated, true), (.tooSlow, true), (.serverBusy, true),
            (.serverFailed, true), (.notFound, false), (.permissionDenied, false), (.invalidArgument, false),
            (.nonsense, false), (.notSecure, false), (.plainHTTP, false), (.redirected, false), (.tooLong, false),
            (.wrongLength, false), (.wrongHash, false), (.noSpace, false), (.notWritable, false), (.storeFailed, false),
            (.conditionsNotMet, false), (.cancelled, false), (.unusable, false), (.linkExpired, false),
        ] as [(DownloadFailure.Code, Bool)])
    func kinds(code: DownloadFailure.Code, isTriedAgain: Bool) {
        let action = rules.next(after: failure(code), attempt: 1, elapsedSeconds: 0, random: 0)
        #expect((action != .giveUp) == isTriedAgain)
        #expect(
            rules.next(after: failure(code, isTemporary: false), attempt: 1, elapsedSeconds: 0, random: 0) == .giveUp)
    }

    @Test("the limit of attempts and the deadline hold", arguments: [-1, 0, 1, 3])
    func limits(attemptLimit: Int) {
        let few = RetryRules(attemptLimit: attemptLimit, deadlineSeconds: 100)
        #expect(few.next(after: failure(), attempt: max(1, attemptLimit), elapsedSeconds: 0, random: 0) == .giveUp)
        let short = RetryRules(attemptLimit: 9, deadlineSeconds: 10)
        #expect(short.next(after: failure(), attempt: 1, elapsedSeconds: 9.74, random: 0) == .wait(seconds: 0.25))
        #expect(short.next(after: failure(), attempt: 1, elapsedSeconds: 9.75, random: 0) == .giveUp)
        #expect(short.next(after: failure(), attempt: 1, elapsedSeconds: 11, random: 0) == .giveUp)
    }

    @Test("absurd deadlines end it and do not crash", arguments: [-Double.infinity, .nan, -1, 0])
    func absurdDeadlines(seconds: Double) {
        let rules = RetryRules(attemptLimit: .max, deadlineSeconds: seconds)
        #expect(rules.next(after: failure(), attempt: .max, elapsedSeconds: 0, random: 0) == .giveUp)
        #expect(rules.next(after: failure(), attempt: 1, elapsedSeconds: 0, random: 0) == .giveUp)
    }

    @Test("a busy server gets the time it asks for and a little more; too long for the deadline ends it at once")
    func retryAfter() {
        let rules = RetryRules(attemptLimit: 5, deadlineSeconds: 100)
        let busy = failure(.serverBusy, retryAfter: 30)
        #expect(rules.next(after: busy, attempt: 1, elapsedSeconds: 0, random: 0) == .wait(seconds: 30.25))
        #expect(rules.next(after: busy, attempt: 1, elapsedSeconds: 69, random: 0) == .wait(seconds: 30.25))
        #expect(rules.next(after: busy, attempt: 1, elapsedSeconds: 70, random: 0) == .giveUp)
        #expect(
            rules.next(after: failure(.serverBusy, retryAfter: 0), attempt: 1, elapsedSeconds: 0, random: 0)
                == .wait(seconds: 0.25))
    }
}

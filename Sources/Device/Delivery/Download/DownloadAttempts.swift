import HearthApp
import HearthTransport

/// How often one fetch has failed in a row, and how much of its time is left. One owner, one thread.
final class DownloadAttempts {
    let cancellation: TransportCancellation?
    private let environment: DeviceEnvironment
    private let rules: DownloadBackoff
    private let start: Double
    private var failureCount = 0

    init(_ settings: DeliverySettings, environment: DeviceEnvironment, cancellation: TransportCancellation?) {
        rules = DownloadBackoff(attemptLimit: settings.attemptLimit, deadlineSeconds: settings.deadlineSeconds)
        self.environment = environment
        self.cancellation = cancellation
        start = environment.clock.uptime()
    }

    /// For the limit of the next request.
    var remainingSeconds: Double { rules.deadlineSeconds - (environment.clock.uptime() - start) }

    /// - Throws: `cancelled`, or `tooSlow` after the deadline.
    func check() throws(DownloadFailure) {
        guard cancellation?.isCancelled != true else { throw .stopped }
        guard remainingSeconds > 0 else { throw .outOfTime }
    }

    /// Waits until the next attempt is due.
    ///
    /// - Throws: `failure` itself when there is to be none, `cancelled` when that happens while it waits.
    func waitBeforeRetry(after failure: DownloadFailure) throws(DownloadFailure) {
        failureCount += 1
        let action = rules.next(
            after: failure, attempt: failureCount, elapsedSeconds: environment.clock.uptime() - start,
            random: environment.random())
        guard case .wait(let seconds) = action else { throw failure }
        environment.clock.wait(seconds: seconds, cancellation: cancellation)
        try check()
    }

    /// New bytes have arrived: the network works, and the count begins anew.
    func madeProgress() { failureCount = 0 }
}

/// What follows a failed attempt. Pure: it is told the time and given its randomness.
struct DownloadBackoff: Sendable, Equatable {
    enum Action: Sendable, Equatable {
        case wait(seconds: Double)
        case giveUp
    }

    /// How often in a row an attempt may fail.
    var attemptLimit: Int
    /// From the first attempt to the end of the last, in seconds.
    var deadlineSeconds: Double

    static let firstDelaySeconds = 0.5
    static let longestDelaySeconds: Double = 60

    /// What may pass by itself. A refusal, an unsafe connection, wrong bytes or a full disk do not.
    private static let retryableCodes: Set<DownloadFailure.Code> = [
        .hostNotFound, .cannotConnect, .truncated, .tooSlow, .serverBusy, .serverFailed,
    ]

    /// - Parameters:
    ///   - attempt: how many attempts have failed in a row, this one included.
    ///   - elapsedSeconds: since the first attempt began.
    ///   - random: 0..<1.
    func next(
        after failure: DownloadFailure, attempt: Int, elapsedSeconds: Double, random: Double
    ) -> Action {
        guard failure.isTemporary, Self.retryableCodes.contains(failure.code), attempt < attemptLimit else {
            return .giveUp
        }
        let pause = Self.delay(attempt: attempt, random: random)
        // The pause comes on top: those whom a busy server sent away together do not come back together.
        let seconds = failure.retryAfterSeconds.map { $0 + pause } ?? pause
        return elapsedSeconds + seconds < deadlineSeconds ? .wait(seconds: seconds) : .giveUp
    }

    /// Doubles with each attempt up to the longest; then anything between half of that and all of it.
    private static func delay(attempt: Int, random: Double) -> Double {
        var full = firstDelaySeconds
        for _ in 1..<max(2, min(attempt, 32)) where attempt > 1 { full *= 2 }
        return min(full, longestDelaySeconds) * (0.5 + 0.5 * random)
    }
}

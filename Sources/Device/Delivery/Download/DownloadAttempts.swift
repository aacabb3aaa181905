import HearthApp
import HearthClient
import HearthConcurrency

/// How often one download has failed in a row, and how much of its time is left. One owner, one thread.
final class DownloadAttempts {
    let cancellation: Cancellation?
    let deadline: Deadline
    private let environment: DeviceEnvironment
    private let limit: Int
    private var failureCount = 0
    private var backoff = Backoff(firstSeconds: 0.5, longestSeconds: 60)

    /// What may pass without anything being changed. A refusal, an insecure connection, wrong bytes or a full disk do not.
    private static let retryableCodes: Set<DownloadFailure.Code> = [
        .hostNotFound, .cannotConnect, .truncated, .tooSlow, .serverBusy, .serverFailed,
    ]

    init(_ settings: DeliverySettings, environment: DeviceEnvironment, cancellation: Cancellation?) {
        deadline = Deadline(seconds: settings.deadlineSeconds, clock: environment.clock)
        limit = settings.attemptLimit
        self.environment = environment
        self.cancellation = cancellation
    }

    var mayGoOn: Bool { cancellation?.isCancelled != true && !deadline.hasPassed }

    /// - Throws: `cancelled`, or `tooSlow` after the deadline.
    func check() throws(DownloadFailure) {
        guard cancellation?.isCancelled != true else { throw .stopped }
        guard !deadline.hasPassed else { throw .outOfTime }
    }

    /// Waits until the next attempt may begin.
    ///
    /// - Throws: `failure` itself when there is no further attempt, `cancelled` when that happens during the wait.
    func waitBeforeRetry(after failure: DownloadFailure) throws(DownloadFailure) {
        failureCount += 1
        guard failure.isTemporary, Self.retryableCodes.contains(failure.code), failureCount < limit else {
            throw failure
        }
        let seconds = backoff.next(requestedSeconds: failure.retryAfterSeconds, random: environment.random())
        guard seconds < deadline.remainingSeconds else { throw failure }
        environment.clock.wait(seconds: seconds, cancellation: cancellation)
        try check()
    }

    /// New bytes have arrived: the network works, and the count begins again.
    func madeProgress() {
        failureCount = 0
        backoff.reset()
    }
}

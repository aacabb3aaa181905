import HearthApp
import HearthClient
import HearthConcurrency

/// How often one download has failed in a row, and how many seconds it has left. One owner, one thread.
final class DownloadAttempts {
    let cancellation: Cancellation?
    let deadline: Deadline
    private let environment: DeviceEnvironment
    private let limit: Int
    private var failureCount = 0
    private var backoff = Backoff(firstSeconds: 0.5, longestSeconds: 60)

    /// Failures that may end without any change on this device. A refusal, an insecure connection, wrong bytes and a
    /// full disk need a change.
    private static let retryableCodes: Set<DownloadFailure.Code> = [
        .hostNotFound, .cannotConnect, .truncated, .tooSlow, .serverBusy, .serverFailed,
    ]

    init(_ settings: DeliverySettings, environment: DeviceEnvironment, cancellation: Cancellation?) {
        deadline = Deadline(seconds: settings.deadlineSeconds, clock: environment.clock)
        limit = settings.attemptLimit
        self.environment = environment
        self.cancellation = cancellation
    }

    /// Whether the download may continue.
    var mayGoOn: Bool { cancellation?.isCancelled != true && !deadline.hasPassed }

    /// - Throws: `cancelled`, or `tooSlow` after the deadline.
    func check() throws(DownloadFailure) {
        guard cancellation?.isCancelled != true else { throw .stopped }
        guard !deadline.hasPassed else { throw .outOfTime }
    }

    /// Waits until the next attempt may begin.
    ///
    /// - Throws: `failure` itself when no further attempt follows; the errors of ``check()`` after the wait.
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

    /// Call it when new bytes have arrived: the network works, and the count of failures begins again.
    func madeProgress() {
        failureCount = 0
        backoff.reset()
    }
}

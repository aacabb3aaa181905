import HearthApp
import HearthTransport

/// How often one fetch has failed in a row, and how much of its time is left. One owner, one thread.
final class FetchAttempts {
    let cancellation: TransportCancellation?
    private let environment: DeviceEnvironment
    private let rules: RetryRules
    private let start: Double
    private var failureCount = 0

    init(_ settings: DeliverySettings, environment: DeviceEnvironment, cancellation: TransportCancellation?) {
        rules = RetryRules(attemptLimit: settings.attemptLimit, deadlineSeconds: settings.deadlineSeconds)
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
    func pause(after failure: DownloadFailure) throws(DownloadFailure) {
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

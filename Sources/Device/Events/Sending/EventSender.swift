import Dispatch
import HearthApp
import HearthClient
import HearthConcurrency
import HearthTransport

/// Sends waiting events: soon after they were written, and after a growing backoff while the server does not accept
/// them. Use it from any thread.
final class EventSender: Sendable {
    /// The events of this many seconds are sent in one batch.
    static let batchSeconds = 5.0
    /// The seconds between attempts while another process of the app sends.
    private static let busyRetrySeconds = 0.5
    private static let busyRetryLimit = 20

    private struct State {
        var retry = RetryTimer(Backoff(firstSeconds: 30, longestSeconds: 3600))
        var isScheduled = false
    }

    private let app: FirebaseApp
    private let permission: CollectionPermission
    private let state = Lock(State())
    private let cancellation = Cancellation()
    let network = DispatchQueue(label: "app.hearth.events.sending")

    init(app: FirebaseApp, permission: CollectionPermission) {
        self.app = app
        self.permission = permission
    }

    /// Schedules the sending of waiting events. Does not block.
    ///
    /// - Parameter writer: Writes the segment of this process.
    func scheduleSending(_ writer: EventWriter) {
        guard case .success = app.server else { return }
        let clock = app.environment.clock
        let seconds: Double? = state.withLock { state in
            guard !state.isScheduled, !cancellation.isCancelled else { return nil }
            state.isScheduled = true
            return max(Self.batchSeconds, state.retry.secondsLeft(uptime: clock.uptime()))
        }
        guard let seconds else { return }
        _ = clock.schedule(afterSeconds: seconds) { [weak self, weak writer] in
            guard let self, let writer else { return }
            state.withLock { $0.isScheduled = false }
            network.async { self.sendScheduled(writer) }
        }
    }

    /// Sends immediately, even during a backoff. Calls `completion` on a queue of the sender.
    func send(_ writer: EventWriter, completion: @escaping @Sendable (Result<Void, EventsError>) -> Void) {
        network.async { [self] in
            var result = Result { () throws(EventsError) in try send(writer) }
            for _ in 0..<Self.busyRetryLimit {
                guard case .failure(let error) = result, error.code == .busy else { break }
                app.environment.clock.wait(seconds: Self.busyRetrySeconds, cancellation: cancellation)
                result = Result { () throws(EventsError) in try send(writer) }
            }
            completion(result)
        }
    }

    /// Cancels the running call.
    func close() { cancellation.cancel() }

    private func sendScheduled(_ writer: EventWriter) {
        do throws(EventsError) {
            try send(writer)
        } catch {
            guard error.code != .appDeleted else { return }
            AppLog.analytics.info("I-ACS013005", error.message)
            scheduleSending(writer)
        }
    }

    private func send(_ writer: EventWriter) throws(EventsError) {
        guard !cancellation.isCancelled else {
            throw EventsError(.appDeleted, "The app '\(app.name)' was deleted; its events are sent at the next start.")
        }
        guard permission.isGranted else { return writer.erase() }
        do throws(EventsError) {
            let round = SendingRound(
                writer, EventCall(app: app, cancellation: cancellation), permission: permission)
            try round.run()
            state.withLock { $0.retry.reset() }
        } catch {
            // Another process sends, so this is not a failure.
            guard error.code != .busy else { throw error }
            let environment = app.environment
            state.withLock {
                $0.retry.recordFailure(
                    requestedSeconds: error.pauseSeconds, random: environment.random(),
                    uptime: environment.clock.uptime())
            }
            throw error
        }
    }
}

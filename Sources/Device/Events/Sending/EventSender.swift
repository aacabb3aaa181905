import Dispatch
import HearthApp
import HearthTransport
import Synchronization

/// Sends what waits: soon after it was written, and after longer and longer pauses while the server does not take it. Use it
/// from any thread.
final class EventSender: Sendable {
    /// What happens within so many seconds is sent in one batch.
    static let batchSeconds = 5.0
    /// While another process of the app sends.
    private static let busyRetrySeconds = 0.5
    private static let busyRetryLimit = 20

    private struct State {
        var pause = SendingBackoff()
        var isScheduled = false
    }

    private let app: FirebaseApp
    private let permission: CollectionPermission
    private let state = Mutex(State())
    private let cancellation = TransportCancellation()
    let network = DispatchQueue(label: "app.hearth.events.sending")

    init(app: FirebaseApp, permission: CollectionPermission) {
        self.app = app
        self.permission = permission
    }

    /// Something waits. Does not block.
    ///
    /// - Parameter writer: Of the segment that this process writes.
    func scheduleSending(_ writer: EventWriter) {
        guard ServerAddress(app.options) != nil else { return }
        let clock = app.environment.clock
        let seconds: Double? = state.withLock { state in
            guard !state.isScheduled, !cancellation.isCancelled else { return nil }
            state.isScheduled = true
            return max(Self.batchSeconds, state.pause.secondsLeft(uptime: clock.uptime()))
        }
        guard let seconds else { return }
        _ = clock.schedule(afterSeconds: seconds) { [weak self, weak writer] in
            guard let self, let writer else { return }
            state.withLock { $0.isScheduled = false }
            network.async { self.sendScheduled(writer) }
        }
    }

    /// Sends at once, whatever pause there was. Calls `completion` on a queue of the sender.
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

    /// Ends what is under way.
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
            var round = SendingRound(
                writer, EventCall(app: app, cancellation: cancellation), permission: permission)
            try round.run()
            state.withLock { $0.pause.clear() }
        } catch {
            // Nothing is wrong then.
            guard error.code != .busy else { throw error }
            let environment = app.environment
            state.withLock {
                $0.pause.increase(
                    requestedSeconds: error.pauseSeconds, random: environment.random(),
                    uptime: environment.clock.uptime())
            }
            throw error
        }
    }
}

/// When the server may be asked again after it did not take a batch. Pure. In seconds of `DeviceClock.uptime()`: a new
/// process may try at once.
struct SendingBackoff: Sendable, Equatable {
    static let firstSeconds = 30.0
    static let longestSeconds = 3600.0
    /// The longest that a server can ask for.
    static let longestRequestedSeconds = 86_400.0

    /// How long the last pause was before chance changed it; 0 when the last batch was taken.
    private var seconds = 0.0
    private var end = 0.0

    /// 0 when the server may be asked.
    func secondsLeft(uptime: Double) -> Double { max(0, end - uptime) }

    /// Twice as long as the last one, give or take a half of it.
    ///
    /// - Parameters:
    ///   - askedSeconds: What the server asked for; never shortens the pause.
    ///   - random: From 0 up to 1.
    mutating func increase(requestedSeconds: Double?, random: Double, uptime: Double) {
        seconds = seconds == 0 ? Self.firstSeconds : min(2 * seconds, Self.longestSeconds)
        let own = seconds * (0.5 + random)
        end = uptime + max(own, min(requestedSeconds ?? 0, Self.longestRequestedSeconds))
    }

    mutating func clear() { self = SendingBackoff() }
}

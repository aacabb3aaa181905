import Foundation
import HearthTransport
import HearthWire
import Synchronization

/// Holds calls back while the server wants to be left alone. One per app; forgotten with the process.
final class InstallationGate: Sendable {
    private let clock: any DeviceClock
    private let random: @Sendable () -> Double
    private let backoff = Mutex(InstallationBackoff())

    init(_ environment: DeviceEnvironment) {
        clock = environment.clock
        random = environment.random
    }

    /// Throws `serverUnreachable` during a pause.
    func check() throws {
        let (left, reason) = backoff.withLock { ($0.secondsLeft(uptime: clock.uptime()), $0.reason) }
        guard left > 0 else { return }
        throw InstallationsErrorCode.error(
            .serverUnreachable, "Too many server requests.",
            details: "The last answer was: \(reason) The next attempt is possible in \(Int(left.rounded(.up))) s.")
    }

    /// Takes note of an answer. Calls that got none at all do not count: the next one may go out at once.
    func note(_ call: InstallationBackoff.Call, _ response: TransportResponse) {
        let verdict = InstallationBackoff.Verdict.of(call, status: response.status)
        let retryAfter = RetryAfter.seconds(response.headers, now: clock.now())
        let reason = InstallationCalls.reason(response)
        backoff.withLock {
            $0.note(
                verdict, reason: reason, retryAfterSeconds: retryAfter, random: random(), uptime: clock.uptime())
        }
    }
}

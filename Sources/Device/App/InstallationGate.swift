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

    /// Throws `serverUnreachable` during a pause, with the refusal that began it.
    func check() throws {
        let backoff = backoff.withLock { $0 }
        let left = backoff.secondsLeft(uptime: clock.uptime())
        guard left > 0 else { return }
        let reason = backoff.reason
        throw InstallationsErrorCode.error(
            .serverUnreachable, "Too many server requests.",
            details: "The last answer was: \(reason) The next attempt is possible in \(Int(left.rounded(.up))) s.",
            underlying: backoff.status.map(refusal))
    }

    /// What is told of an answer with this status, once it is noted.
    func refusal(_ status: Int) -> InstallationRefusal {
        let backoff = backoff.withLock { $0 }
        let left = backoff.secondsLeft(uptime: clock.uptime())
        return InstallationRefusal(status: status, retryAfterSeconds: backoff.isTemporary && left > 0 ? left : nil)
    }

    /// Takes note of an answer. Calls that got none at all do not count: the next one may go out at once.
    func note(_ call: InstallationBackoff.Call, _ response: TransportResponse) {
        let verdict = InstallationBackoff.Verdict.of(call, status: response.status)
        let retryAfter = RetryAfter.seconds(in: response.headers, nowSeconds: clock.now().seconds)
        let reason = InstallationCalls.reason(response)
        backoff.withLock {
            $0.note(
                verdict, status: response.status, reason: reason, retryAfterSeconds: retryAfter, random: random(),
                uptime: clock.uptime())
        }
    }
}

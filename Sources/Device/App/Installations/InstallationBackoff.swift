import Foundation
import HearthClient
import HearthConcurrency
import HearthTransport
import HearthWire

/// When the app may call the server again after a refusal. Pure: takes statuses and times, returns a backoff. Times are
/// seconds of ``DeviceClock/uptime()``, which a wrong time of day does not affect.
struct InstallationBackoff: Sendable, Equatable {
    enum Call: Sendable { case create, renew }

    /// What the status of an answer means for the next call.
    enum Verdict: Sendable, Equatable {
        case success
        /// The server is busy or failed.
        case temporary
        /// Another attempt does not help until the app's options or the server's settings change.
        case permanent
        /// Has no backoff: the server does not know the installation any more, which the caller handles.
        case neutral

        static func of(_ call: Call, status: Int) -> Verdict {
            switch (call, status) {
            case (_, 200...299): .success
            case (_, 400), (_, 403), (.create, 404): .permanent
            case (.renew, 401), (.renew, 404): .neutral
            default: .temporary
            }
        }
    }

    private static var newBackoff: Backoff { Backoff(firstSeconds: 2, longestSeconds: 1800) }
    static let permanentSeconds: Double = 86_400

    private var backoff = Self.newBackoff
    private var last: Verdict?
    private var end = 0.0

    /// The server's text and status of the last refusal.
    private(set) var reason = ""
    private(set) var status: Int?

    /// Whether the backoff is for a temporary failure, such as a busy server.
    var isTemporary: Bool { last == .temporary }

    /// 0 when the app may call the server.
    func secondsLeft(uptime: Double) -> Double { max(0, end - uptime) }

    /// Records the answer to a call.
    ///
    /// - Parameters:
    ///   - retryAfterSeconds: What the server asked for, up to a day; never shortens the backoff.
    ///   - random: From 0 up to, but not including, 1, so that not all devices come back at once.
    mutating func record(
        _ verdict: Verdict, status: Int? = nil, reason: String = "", retryAfterSeconds: Double? = nil, random: Double,
        uptime: Double
    ) {
        switch verdict {
        case .neutral: return
        case .success: self = InstallationBackoff()
        case .permanent, .temporary:
            if verdict != last { backoff.reset() }
            last = verdict
            let seconds =
                verdict == .permanent
                ? Self.permanentSeconds : backoff.next(requestedSeconds: retryAfterSeconds, random: random)
            end = uptime + seconds
            self.reason = reason
            self.status = status
        }
    }
}

/// Refuses calls during the backoff. One object per app; a new process starts without a backoff.
final class InstallationThrottle: Sendable {
    private let clock: any DeviceClock
    private let random: @Sendable () -> Double
    private let backoff = Lock(InstallationBackoff())

    init(_ environment: DeviceEnvironment) {
        clock = environment.clock
        random = environment.random
    }

    /// Throws `serverUnreachable` during the backoff, with the refusal that began it.
    func check() throws {
        let backoff = backoff.withLock { $0 }
        let remaining = backoff.secondsLeft(uptime: clock.uptime())
        guard remaining > 0 else { return }
        let reason = backoff.reason
        throw InstallationsErrorCode.error(
            .serverUnreachable, "Too many server requests.",
            details: "The last answer was: \(reason) The next attempt is possible in \(Int(remaining.rounded(.up))) s.",
            underlying: backoff.status.map(refusal))
    }

    /// The error for an answer with this status. Call it after ``record(_:_:)``.
    func refusal(_ status: Int) -> InstallationRefusal {
        let backoff = backoff.withLock { $0 }
        let remaining = backoff.secondsLeft(uptime: clock.uptime())
        return InstallationRefusal(
            status: status, retryAfterSeconds: backoff.isTemporary && remaining > 0 ? remaining : nil)
    }

    /// Records an answer. Calls without an answer are not recorded: the next one may begin immediately.
    func record(_ call: InstallationBackoff.Call, _ response: TransportResponse) {
        let verdict = InstallationBackoff.Verdict.of(call, status: response.status)
        let retryAfter = RetryAfter.seconds(in: response.headers, nowSeconds: clock.now().seconds)
        let reason = InstallationCalls.reason(response)
        backoff.withLock {
            $0.record(
                verdict, status: response.status, reason: reason, retryAfterSeconds: retryAfter, random: random(),
                uptime: clock.uptime())
        }
    }
}

/// The server's refusal to issue a token: the underlying error of an `NSError` of the installations domain. The caller
/// applies its own rules about another attempt.
package struct InstallationRefusal: Error, Sendable, Equatable {
    /// The HTTP status of the server's last answer.
    package let status: Int
    /// The seconds of backoff from now on; nil when the failure is not temporary.
    package let retryAfterSeconds: Double?
}

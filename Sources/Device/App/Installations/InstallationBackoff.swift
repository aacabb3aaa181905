import Foundation
import HearthClient
import HearthConcurrency
import HearthTransport
import HearthWire

/// When the server may be asked again after it refused. Pure: statuses and times in, a pause out. In seconds of
/// ``DeviceClock/uptime()``, which a wrong time of day does not touch.
struct InstallationBackoff: Sendable, Equatable {
    enum Call: Sendable { case create, renew }

    /// What a status means for the next call.
    enum Verdict: Sendable, Equatable {
        case success
        /// The server is busy or failed.
        case temporary
        /// Trying again does not help until somebody changes the configuration.
        case permanent
        /// Handled otherwise: the server forgot the installation.
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

    /// What the server said when it refused last, and its status.
    private(set) var reason = ""
    private(set) var status: Int?

    /// Whether the pause ends by itself, as that of a busy server does.
    var isTemporary: Bool { last == .temporary }

    /// 0 when the server may be asked.
    func secondsLeft(uptime: Double) -> Double { max(0, end - uptime) }

    /// - Parameters:
    ///   - retryAfterSeconds: What the server asked for; never shortens the pause, and counts up to a day.
    ///   - random: From 0 up to 1, so that not all devices come back at once.
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
            let pause =
                verdict == .permanent
                ? Self.permanentSeconds : backoff.next(requestedSeconds: retryAfterSeconds, random: random)
            end = uptime + pause
            self.reason = reason
            self.status = status
        }
    }
}

/// Holds calls back while the server wants to be left alone. One per app; forgotten with the process.
final class InstallationThrottle: Sendable {
    private let clock: any DeviceClock
    private let random: @Sendable () -> Double
    private let backoff = Lock(InstallationBackoff())

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

/// What the server answered instead of a token: the underlying error of an `NSError` of the installations domain. The rules
/// about trying again are those of whoever asked.
package struct InstallationRefusal: Error, Sendable, Equatable {
    /// The HTTP status of the server's last answer.
    package let status: Int
    /// How long the server is left alone from now on; nil when nothing but another configuration helps.
    package let retryAfterSeconds: Double?
}

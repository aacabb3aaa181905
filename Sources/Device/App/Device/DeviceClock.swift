import Dispatch
import Foundation
package import HearthTransport
package import HearthWire

/// What time it is, and waiting. The real one by default; tests bring one whose time they move themselves.
package protocol DeviceClock: Sendable {
    /// The time of day. It may jump: it decides whether links and tokens have expired, and nothing else.
    func now() -> Timestamp
    /// Seconds since some moment in the past. Never jumps: for deadlines and pauses.
    func uptime() -> Double
    /// Blocks the thread for `seconds`, or until `cancellation` is thrown.
    func wait(seconds: Double, cancellation: TransportCancellation?)
    /// Runs `action` once, after `seconds`, on a queue of its own.
    func schedule(afterSeconds seconds: Double, _ action: @escaping @Sendable () -> Void) -> any DeviceTimer
}

/// A scheduled action. Forgetting it does not cancel it.
package protocol DeviceTimer: Sendable {
    /// The action does not begin after this.
    func cancel()
}

/// The machine's own clock.
package struct SystemClock: DeviceClock {
    private static let queue = DispatchQueue(label: "app.hearth.clock", attributes: .concurrent)
    /// How long a cancellation may go unnoticed.
    private static let napSeconds = 0.05

    package init() {}

    package func now() -> Timestamp { Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000)) }

    package func uptime() -> Double { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }

    package func wait(seconds: Double, cancellation: TransportCancellation?) {
        let end = uptime() + seconds
        while cancellation?.isCancelled != true {
            let left = end - uptime()
            guard left > 0 else { return }
            Thread.sleep(forTimeInterval: min(left, Self.napSeconds))
        }
    }

    package func schedule(
        afterSeconds seconds: Double, _ action: @escaping @Sendable () -> Void
    ) -> any DeviceTimer {
        let timer = SystemTimer(DispatchWorkItem(block: action))
        Self.queue.asyncAfter(deadline: .now() + max(0, seconds), execute: timer.item)
        return timer
    }
}

/// `@unchecked Sendable`: Dispatch documents that a work item may be cancelled from any thread; nothing else is done with it
/// after it was scheduled.
private final class SystemTimer: DeviceTimer, @unchecked Sendable {
    let item: DispatchWorkItem

    init(_ item: DispatchWorkItem) { self.item = item }

    func cancel() { item.cancel() }
}

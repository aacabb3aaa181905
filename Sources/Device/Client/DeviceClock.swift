package import Dispatch
import Foundation
package import HearthConcurrency
package import HearthWire

/// Tells the time and waits. The system's clock by default; tests use one whose time they control.
package protocol DeviceClock: Sendable {
    /// The time of day. It may jump: use it only to decide whether links and tokens have expired.
    func now() -> Timestamp
    /// Seconds since a fixed moment in the past. Never jumps: use it for deadlines and backoff.
    func uptime() -> Double
    /// Blocks the thread for `seconds`, or until `cancellation` is cancelled.
    func wait(seconds: Double, cancellation: Cancellation?)
    /// Blocks the thread until `semaphore` is signalled, `seconds` have passed, or `cancellation` is cancelled. The
    /// semaphore may get one signal more than its owner gives: do not use it for anything else.
    func wait(for semaphore: DispatchSemaphore, seconds: Double, cancellation: Cancellation?)
    /// Runs `action` once, after `seconds`, on its own queue.
    func schedule(afterSeconds seconds: Double, _ action: @escaping @Sendable () -> Void) -> any DeviceTimer
}

/// A scheduled action. Releasing it does not cancel it.
package protocol DeviceTimer: Sendable {
    /// Cancels the action: it does not begin afterwards.
    func cancel()
}

/// The system's own clock.
package struct SystemClock: DeviceClock {
    private static let queue = DispatchQueue(label: "app.hearth.clock", attributes: .concurrent)

    package init() {}

    package func now() -> Timestamp { Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000)) }

    package func uptime() -> Double { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }

    package func wait(seconds: Double, cancellation: Cancellation?) {
        (cancellation ?? Cancellation()).wait(seconds: seconds)
    }

    package func wait(for semaphore: DispatchSemaphore, seconds: Double, cancellation: Cancellation?) {
        (cancellation ?? Cancellation()).wait(for: semaphore, seconds: seconds)
    }

    package func schedule(
        afterSeconds seconds: Double, _ action: @escaping @Sendable () -> Void
    ) -> any DeviceTimer {
        let timer = SystemTimer(DispatchWorkItem(block: action))
        Self.queue.asyncAfter(deadline: .now() + max(0, seconds), execute: timer.item)
        return timer
    }
}

/// `@unchecked Sendable`: Dispatch documents that any thread may cancel a work item, and this class does nothing else
/// with it after scheduling it.
private final class SystemTimer: DeviceTimer, @unchecked Sendable {
    let item: DispatchWorkItem

    init(_ item: DispatchWorkItem) { self.item = item }

    func cancel() { item.cancel() }
}

package import Dispatch
import Foundation
package import HearthConcurrency
package import HearthWire

/// What time it is, and waiting. The system's by default; tests bring one whose time they move themselves.
package protocol DeviceClock: Sendable {
    /// The time of day. It may jump: use it to decide whether links and tokens have expired, and for nothing else.
    func now() -> Timestamp
    /// Seconds since some moment in the past. Never jumps: for deadlines and backoff.
    func uptime() -> Double
    /// Blocks the thread for `seconds`, or until `cancellation` is cancelled.
    func wait(seconds: Double, cancellation: Cancellation?)
    /// Blocks the thread until `semaphore` is signalled, `seconds` have passed, or `cancellation` is cancelled. The
    /// semaphore may get one signal more than its owner gives: use it for nothing else.
    func wait(for semaphore: DispatchSemaphore, seconds: Double, cancellation: Cancellation?)
    /// Runs `action` once, after `seconds`, on a queue of its own.
    func schedule(afterSeconds seconds: Double, _ action: @escaping @Sendable () -> Void) -> any DeviceTimer
}

/// A scheduled action. Releasing it does not cancel it.
package protocol DeviceTimer: Sendable {
    /// The action does not begin after this.
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

/// `@unchecked Sendable`: Dispatch documents that a work item may be cancelled from any thread; nothing else is done with it
/// after it was scheduled.
private final class SystemTimer: DeviceTimer, @unchecked Sendable {
    let item: DispatchWorkItem

    init(_ item: DispatchWorkItem) { self.item = item }

    func cancel() { item.cancel() }
}

package import Dispatch
package import HearthClient
package import HearthConcurrency
import HearthTransport
package import HearthWire

/// A clock whose time a test controls. It replaces the device's and the server's clock. Use it from any thread.
///
/// Time passes in two ways only. ``advance(bySeconds:)`` lets it pass. A thread that waits moves the clock by the time
/// of its wait and continues immediately: for a backoff, a connection that times out, or a slow answer. So a test takes
/// only the time of the work itself. Scheduled actions, such as the next check for updates, run when the clock moves
/// past their time, on the thread that moves it.
public final class FakeClock: Sendable {
    private struct State {
        var microseconds: Int64
        var uptimeMicroseconds: Int64 = 0
        var timers: [FakeTimer] = []
        var waits: [Double] = []
    }

    private let state: Lock<State>

    /// Makes a clock.
    ///
    /// - Parameter secondsSince1970: The time at the start; 2026-01-01 by default.
    public init(secondsSince1970: Double = 1_767_225_600) {
        state = Lock(State(microseconds: Self.microseconds(secondsSince1970)))
    }

    /// The time of day in seconds since 1970-01-01T00:00:00Z.
    public var secondsSince1970: Double { state.withLock { Double($0.microseconds) / 1_000_000 } }

    /// The times that the device has waited so far, in seconds and in order: the backoff between the attempts of a
    /// download, for example.
    public var waits: [Double] { state.withLock { $0.waits } }

    /// Lets time pass. Actions that were scheduled until then run on this thread, in order.
    public func advance(bySeconds seconds: Double) {
        let end = state.withLock { $0.uptimeMicroseconds + Self.microseconds(max(0, seconds)) }
        while let timer = nextTimer(until: end) { timer.fire() }
        state.withLock { Self.move(&$0, to: end) }
    }

    /// Sets the time of day forwards or back, as a user or a wrong time server may do. No time passes.
    public func setTimeOfDay(secondsSince1970 seconds: Double) {
        state.withLock { $0.microseconds = Self.microseconds(seconds) }
    }

    /// The earliest timer that is due at `end`; moves the clock to its time.
    private func nextTimer(until end: Int64) -> FakeTimer? {
        state.withLock { state in
            state.timers.removeAll { $0.isCancelled }
            let due = state.timers.indices.min { state.timers[$0].due < state.timers[$1].due }
            guard let due, state.timers[due].due <= end else { return nil }
            let timer = state.timers.remove(at: due)
            Self.move(&state, to: timer.due)
            return timer
        }
    }

    /// Whole microseconds; NaN becomes 0, and times are limited to a thousand years.
    private static func microseconds(_ seconds: Double) -> Int64 {
        let longest = 31_557_600_000.0
        return seconds.isNaN ? 0 : Int64(min(max(seconds, -longest), longest) * 1_000_000)
    }

    private static func move(_ state: inout State, to uptime: Int64) {
        let step = max(0, uptime - state.uptimeMicroseconds)
        state.uptimeMicroseconds += step
        state.microseconds += step
    }
}

extension FakeClock: DeviceClock {
    package func now() -> Timestamp { state.withLock { Timestamp(microseconds: $0.microseconds) } }

    package func uptime() -> Double { state.withLock { Double($0.uptimeMicroseconds) / 1_000_000 } }

    package func wait(seconds: Double, cancellation: Cancellation?) {
        guard cancellation?.isCancelled != true else { return }
        state.withLock { $0.waits.append(seconds) }
        advance(bySeconds: seconds)
    }

    /// Waits for the work of another thread, which may move the clock; does not move it itself.
    package func wait(for semaphore: DispatchSemaphore, seconds: Double, cancellation: Cancellation?) {
        guard seconds > 0 else { return }
        let timer = schedule(afterSeconds: seconds) { semaphore.signal() }
        (cancellation ?? Cancellation()).wait(for: semaphore, seconds: .infinity)
        timer.cancel()
    }

    package func schedule(
        afterSeconds seconds: Double, _ action: @escaping @Sendable () -> Void
    ) -> any DeviceTimer {
        state.withLock { state in
            let due = state.uptimeMicroseconds + Self.microseconds(max(0, seconds))
            let timer = FakeTimer(due: due, action: action)
            state.timers.append(timer)
            return timer
        }
    }
}

private final class FakeTimer: DeviceTimer {
    let due: Int64
    private let action: Lock<(@Sendable () -> Void)?>

    init(due: Int64, action: @escaping @Sendable () -> Void) {
        self.due = due
        self.action = Lock(action)
    }

    var isCancelled: Bool { action.withLock { $0 == nil } }

    func cancel() { action.withLock { $0 = nil } }

    func fire() { action.withLock { $0.take() }?() }
}

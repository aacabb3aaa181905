package import Dispatch
package import HearthClient
package import HearthConcurrency
import HearthTransport
package import HearthWire

/// A clock whose time a test moves, in the place of the device's and the server's. Use it from any thread.
///
/// Time passes in two ways only. ``advance(bySeconds:)`` lets it pass. And whoever waits moves the clock on by as long as the
/// wait would take, and goes on at once: a pause between two attempts, a connection that times out, a slow answer. Nothing in a
/// test takes longer than the work itself. Whatever is scheduled, such as the next check for updates, happens while the clock
/// moves past its time, on the thread that moves it.
public final class FakeClock: Sendable {
    private struct State {
        var microseconds: Int64
        var uptimeMicroseconds: Int64 = 0
        var timers: [FakeTimer] = []
        var waits: [Double] = []
    }

    private let state: Lock<State>

    /// - Parameter secondsSince1970: The time at the start; 2026-01-01 by default.
    public init(secondsSince1970: Double = 1_767_225_600) {
        state = Lock(State(microseconds: Self.microseconds(secondsSince1970)))
    }

    /// The time of day in seconds since 1970-01-01T00:00:00Z.
    public var secondsSince1970: Double { state.withLock { Double($0.microseconds) / 1_000_000 } }

    /// How long the device has waited so far, pause by pause, in seconds: between attempts at a download, for example.
    public var waits: [Double] { state.withLock { $0.waits } }

    /// Lets time pass. What was scheduled for the time until then runs on this thread, in order.
    public func advance(bySeconds seconds: Double) {
        let end = state.withLock { $0.uptimeMicroseconds + Self.microseconds(max(0, seconds)) }
        while let timer = nextTimer(until: end) { timer.fire() }
        state.withLock { Self.move(&$0, to: end) }
    }

    /// Sets the time of day forwards or back, as a user may, or a wrong time server. No time passes.
    public func setTimeOfDay(secondsSince1970 seconds: Double) {
        state.withLock { $0.microseconds = Self.microseconds(seconds) }
    }

    /// The earliest timer that is due at `end`; the clock stands at its time then.
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

    /// Whole microseconds; what is no number is 0, and longer than a thousand years is a thousand years.
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

    /// Waits for another thread's work, which may move the clock; does not move it itself.
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

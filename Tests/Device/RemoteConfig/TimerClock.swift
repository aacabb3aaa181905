import HearthApp
import HearthDeliveryTesting
import HearthTransport
import HearthWire
import Synchronization

/// A clock whose timers the test sets off itself, one after the other, without waiting.
final class TimerClock: DeviceClock {
    struct Timer: DeviceTimer {
        let seconds: Double
        let fire: @Sendable () -> Void

        func cancel() {}
    }

    let base: FakeClock
    /// What is scheduled from now on.
    let timers: AsyncStream<Timer>
    private let continuation: AsyncStream<Timer>.Continuation
    private let duringWait = Mutex<@Sendable () -> Void>({})

    init(_ base: FakeClock) {
        self.base = base
        (timers, continuation) = AsyncStream.makeStream()
    }

    func now() -> Timestamp { base.now() }
    func uptime() -> Double { base.uptime() }

    /// Called whenever somebody waits.
    func duringWait(_ body: @escaping @Sendable () -> Void) { duringWait.withLock { $0 = body } }

    func wait(seconds: Double, cancellation: TransportCancellation?) {
        duringWait.withLock { $0 }()
        base.wait(seconds: seconds, cancellation: cancellation)
    }

    func schedule(afterSeconds seconds: Double, _ action: @escaping @Sendable () -> Void) -> any DeviceTimer {
        let timer = Timer(seconds: seconds, fire: action)
        continuation.yield(timer)
        return timer
    }
}

import Synchronization

/// Stops the run of an ``Interpreter``, or of one of its signature runners, from any thread.
///
/// ```swift
/// let canceller = interpreter.canceller
/// DispatchQueue.global().asyncAfter(deadline: .now() + 1) { canceller.cancel() }
/// try interpreter.invoke()  // throws CancellationError when it takes more than a second
/// ```
///
/// The engine checks before each operator whether to continue, also inside loops. The part of the model that XNNPACK
/// runs as one piece, often all of it, counts as one operator, and an operator always runs to its end. So a run may
/// succeed although it was cancelled.
public final class InvocationCanceller: Sendable {
    /// The number of the run, times four, plus the phase. The number ensures that only the intended run is cancelled.
    private let state = Atomic<UInt64>(0)

    private enum Phase {
        static let idle: UInt64 = 0
        static let running: UInt64 = 1
        /// The app wants the run to stop.
        static let cancelRequested: UInt64 = 2
        /// The engine has been asked to stop.
        static let stopping: UInt64 = 3
        static let mask: UInt64 = 3
    }

    /// A run, from ``begin()`` to ``end(_:)``.
    struct Run: Equatable {
        fileprivate let number: UInt64
    }

    init() {}

    /// Makes the current run throw `CancellationError`. The interpreter stays usable, but the contents of the run's
    /// outputs are undefined. So is the state of recurrent operators, which ``Interpreter/resetVariableTensors()``
    /// resets.
    ///
    /// Without a current run this does nothing, and it does not affect later runs. A run in the background is current
    /// from the call that starts it. Never blocks.
    public func cancel() {
        let current = state.load(ordering: .relaxed)
        cancel(Run(number: current & ~Phase.mask))
    }

    /// Stops this run if it is the current one, and no other run.
    func cancel(_ run: Run) {
        _ = state.compareExchange(
            expected: run.number | Phase.running, desired: run.number | Phase.cancelRequested,
            ordering: .acquiringAndReleasing)
    }

    /// Only one thread at a time may call this method and the next.
    /// - Returns: The new run, which the caller must end; nil inside another run.
    func begin() -> Run? {
        let current = state.load(ordering: .relaxed)
        guard current & Phase.mask == Phase.idle else { return nil }
        let run = Run(number: current &+ Phase.mask &+ 1)
        state.store(run.number | Phase.running, ordering: .releasing)
        return run
    }

    func end(_ run: Run) {
        state.store(run.number | Phase.idle, ordering: .releasing)
    }

    /// The engine calls this during a run.
    func shouldStop() -> Bool {
        let current = state.load(ordering: .relaxed)
        guard current & Phase.mask >= Phase.cancelRequested else { return false }
        state.store(current | Phase.stopping, ordering: .relaxed)
        return true
    }

    /// Whether the engine has been asked to stop the run.
    var hasStopped: Bool { state.load(ordering: .relaxed) & Phase.mask == Phase.stopping }

    var isRunning: Bool { state.load(ordering: .acquiring) & Phase.mask != Phase.idle }
}

extension Interpreter {
    /// Stops a run of this interpreter or of its signature runners, from any thread. Always the same object.
    public var canceller: InvocationCanceller { sessions.runs.canceller }
}

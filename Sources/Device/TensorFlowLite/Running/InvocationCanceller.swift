import Synchronization

/// Stops the run of an ``Interpreter``, or of one of its signature runners, from any thread.
///
/// ```swift
/// let canceller = interpreter.canceller
/// DispatchQueue.global().asyncAfter(deadline: .now() + 1) { canceller.cancel() }
/// try interpreter.invoke()  // throws CancellationError when it takes more than a second
/// ```
///
/// The engine asks before each operator whether to go on, also within loops. What XNNPACK took of the model in one piece,
/// often all of it, counts as one operator, and an operator that is being computed is computed to its end. So a run may
/// end in success although it was cancelled.
public final class InvocationCanceller: Sendable {
    /// The number of the run, times four, plus the phase. The number makes sure that only the run that was meant is
    /// cancelled.
    private let state = Atomic<UInt64>(0)

    private enum Phase {
        static let idle: UInt64 = 0
        static let running: UInt64 = 1
        /// Somebody wants the run to stop.
        static let cancelRequested: UInt64 = 2
        /// The engine was told to stop.
        static let stopping: UInt64 = 3
        static let mask: UInt64 = 3
    }

    /// A run from its begin to its end.
    struct Run: Equatable {
        fileprivate let number: UInt64
    }

    init() {}

    /// Makes the run in progress throw `CancellationError`; what its outputs hold is not defined then, nor the state of
    /// recurrent operators, which ``Interpreter/resetVariableTensors()`` sets back. The interpreter stays usable. Without a run in progress this does nothing: later runs are not concerned. A run in the
    /// background is in progress from the call on that starts it. Never blocks.
    public func cancel() {
        let current = state.load(ordering: .relaxed)
        cancel(Run(number: current & ~Phase.mask))
    }

    /// As ``cancel()``, but does nothing if another run is in progress.
    func cancel(_ run: Run) {
        _ = state.compareExchange(
            expected: run.number | Phase.running, desired: run.number | Phase.cancelRequested,
            ordering: .acquiringAndReleasing)
    }

    /// To be called by one thread at a time, as are the following.
    /// - Returns: The new run, to be ended by the caller; nil within another one.
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

    /// What the engine asks during a run.
    func shouldStop() -> Bool {
        let current = state.load(ordering: .relaxed)
        guard current & Phase.mask >= Phase.cancelRequested else { return false }
        state.store(current | Phase.stopping, ordering: .relaxed)
        return true
    }

    /// Whether the engine was told to stop the run.
    var hasStopped: Bool { state.load(ordering: .relaxed) & Phase.mask == Phase.stopping }

    var isRunning: Bool { state.load(ordering: .acquiring) & Phase.mask != Phase.idle }
}

extension Interpreter {
    /// Stops a run of this interpreter or of its signature runners, from any thread; always the same object.
    public var canceller: InvocationCanceller { sessions.runs.canceller }
}

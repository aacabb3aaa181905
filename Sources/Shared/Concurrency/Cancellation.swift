package import Dispatch
import Foundation

/// Ends calls and waits from any thread. Once cancelled, it stays cancelled.
///
/// A waiting call registers a handler, so that a cancellation wakes it immediately: it does not have to check
/// ``isCancelled`` again and again.
package final class Cancellation: Sendable {
    private typealias Handler = @Sendable () -> Void

    private struct State {
        var isCancelled = false
        var handlers: [Int: Handler] = [:]
        var lastNumber = 0
    }

    private let state = Lock(State())

    package init() {}

    /// Calls `handler` once, when this is cancelled.
    package convenience init(_ handler: @escaping @Sendable () -> Void) {
        self.init()
        onCancel(handler)
    }

    package var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Calls all handlers on this thread. A second call does nothing.
    package func cancel() {
        let handlers = state.withLock { state in
            state.isCancelled = true
            defer { state.handlers = [:] }
            return state.handlers.values.map { $0 }
        }
        for handler in handlers { handler() }
    }

    /// Calls `handler` once, on the thread that cancels; if this is cancelled already, now and on this thread. The
    /// handler must not block.
    package func onCancel(_ handler: @escaping @Sendable () -> Void) {
        if register(handler) == nil { handler() }
    }

    /// Runs `body`. A cancellation meanwhile calls `handler`, as ``onCancel(_:)`` does. The handler may still run for a
    /// moment after `body` has ended.
    package func withHandler<Result, Failure: Error>(
        _ handler: @escaping @Sendable () -> Void, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let number = register(handler)
        if number == nil { handler() }
        defer {
            if let number { state.withLock { _ = $0.handlers.removeValue(forKey: number) } }
        }
        return try body()
    }

    /// Blocks the thread for `seconds`, or until this is cancelled.
    package func wait(seconds: Double) {
        let isCancelled = DispatchSemaphore(value: 0)
        wait(for: isCancelled, seconds: seconds)
    }

    /// Blocks the thread until `semaphore` is signalled, this is cancelled, or `seconds` have passed. The cancellation
    /// also signals the semaphore, which may therefore get one signal more than its owner gives.
    ///
    /// - Returns: Whether the semaphore was signalled in time, by its owner or by the cancellation.
    @discardableResult
    package func wait(for semaphore: DispatchSemaphore, seconds: Double) -> Bool {
        withHandler({ semaphore.signal() }) {
            // An endless wait has no end time.
            semaphore.wait(timeout: seconds < 1e9 ? .now() + max(0, seconds) : .distantFuture) == .success
        }
    }

    /// The handler's number; nil when this is cancelled already.
    private func register(_ handler: @escaping Handler) -> Int? {
        state.withLock { state in
            guard !state.isCancelled else { return nil }
            state.lastNumber += 1
            state.handlers[state.lastNumber] = handler
            return state.lastNumber
        }
    }
}

import Dispatch
import HearthConcurrency

/// An observer of a model's state, which is called on a queue of its choice.
final class StateObserver: Sendable {
    private struct Handlers {
        var change: (@Sendable (ModelState) -> Void)?
        var end: (@Sendable () -> Void)?
    }

    private let queue: @Sendable () -> DispatchQueue
    private let handlers: Lock<Handlers>

    /// Makes an observer.
    ///
    /// - Parameters:
    ///   - queue: Called at each change; returns the queue.
    ///   - end: Called on the queue when no change can follow because the app was deleted.
    init(
        on queue: @escaping @Sendable () -> DispatchQueue, change: @escaping @Sendable (ModelState) -> Void,
        end: (@Sendable () -> Void)? = nil
    ) {
        self.queue = queue
        handlers = Lock(Handlers(change: change, end: end))
    }

    var isCancelled: Bool { handlers.withLock { $0.change == nil } }

    /// Queues one call.
    func notify(_ state: ModelState) {
        queue().async {
            // Outside the lock, because the handler may cancel the observation.
            let change = self.handlers.withLock { $0.change }
            change?(state)
        }
    }

    /// No call begins after this one on the observer's queue.
    func cancel() { handlers.withLock { $0 = Handlers() } }

    func finish() {
        queue().async {
            let end = self.handlers.withLock { handlers in
                defer { handlers = Handlers() }
                return handlers.end
            }
            end?()
        }
    }
}

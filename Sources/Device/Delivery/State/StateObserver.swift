import Dispatch
import Synchronization

/// Somebody who is told a model's state, on a queue of their choice.
final class StateObserver: Sendable {
    private struct Handlers {
        var change: (@Sendable (ModelState) -> Void)?
        var end: (@Sendable () -> Void)?
    }

    private let queue: @Sendable () -> DispatchQueue
    private let handlers: Mutex<Handlers>

    /// - Parameters:
    ///   - queue: Asked for at each change.
    ///   - end: Called on the queue when no change can come any more because the app was deleted.
    init(
        on queue: @escaping @Sendable () -> DispatchQueue, change: @escaping @Sendable (ModelState) -> Void,
        end: (@Sendable () -> Void)? = nil
    ) {
        self.queue = queue
        handlers = Mutex(Handlers(change: change, end: end))
    }

    var isCancelled: Bool { handlers.withLock { $0.change == nil } }

    /// Queues one call.
    func tell(_ state: ModelState) {
        queue().async {
            // Outside the lock: the handler may cancel the observation.
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

import Dispatch
import HearthConcurrency

/// The states of an app's models, and who observes them. Use it from any thread; no call blocks.
final class ModelStateStore: Sendable {
    private struct Entry {
        var record = ModelRecord()
        /// Rises whenever a change of the installed copy is recorded.
        var generation = 0
        var lastReported: ModelState?
        var observers: [StateObserver] = []
    }

    private struct Contents {
        var entries: [String: Entry] = [:]
        var isClosed = false
    }

    private let contents = Lock(Contents())

    func state(of name: String) -> ModelState {
        contents.withLock { $0.entries[name]?.record.state ?? .absent }
    }

    /// To be passed to `recordLookup` after a look at the store.
    func generation(of name: String) -> Int {
        contents.withLock { $0.entries[name]?.generation ?? 0 }
    }

    /// What a look at the store showed; of no interest if something was installed or removed during the look.
    func recordLookup(_ finding: Result<DeviceStore.LookupResult, DownloadFailure>, of name: String, generation: Int) {
        update(name) { entry in
            if entry.generation == generation { entry.record.recordLookup(finding, of: name) }
        }
    }

    func record(_ event: DownloadEvent, of job: DownloadJob) {
        update(job.name) { entry in
            switch event {
            case .started: if !job.isCancelled { entry.record.started(job.id) }
            case .received(let fraction): entry.record.received(fraction, by: job.id)
            case .abandoned: entry.record.abandoned(job.id)
            case .ended(let result):
                entry.generation += 1
                entry.record.ended(job.id, result)
            }
        }
    }

    func recordDeletion(of name: String) {
        update(name) { entry in
            entry.generation += 1
            entry.record.deleted()
        }
    }

    func recordRejection(of name: String, _ failure: DownloadFailure, previous: CustomModel?) {
        update(name) { entry in
            entry.generation += 1
            entry.record.reject(failure, previous: previous)
        }
    }

    /// Tells the observer the present state, and each change from now on.
    func add(_ observer: StateObserver, to name: String) {
        contents.withLock { contents in
            guard !contents.isClosed else { return observer.finish() }
            guard !observer.isCancelled else { return }
            var entry = contents.entries[name] ?? Entry()
            let state = entry.record.state
            entry.lastReported = state
            entry.observers.append(observer)
            contents.entries[name] = entry
            observer.notify(state)
        }
    }

    func remove(_ observer: StateObserver, from name: String) {
        contents.withLock { $0.entries[name]?.observers.removeAll { $0 === observer } }
    }

    /// Nobody is told anything any more.
    func close() {
        let observers = contents.withLock { contents in
            contents.isClosed = true
            let observers = contents.entries.values.flatMap(\.observers)
            contents.entries = [:]
            return observers
        }
        for observer in observers { observer.finish() }
    }

    private func update(_ name: String, _ change: (inout Entry) -> Void) {
        contents.withLock { contents in
            guard !contents.isClosed else { return }
            var entry = contents.entries[name] ?? Entry()
            change(&entry)
            let state = entry.record.state
            if state != entry.lastReported {
                entry.lastReported = state
                // Only queued here, under the lock, so that all see the changes in their order.
                for observer in entry.observers { observer.notify(state) }
            }
            contents.entries[name] = entry
        }
    }
}

/// Somebody who is told a model's state, on a queue of their choice.
final class StateObserver: Sendable {
    private struct Handlers {
        var change: (@Sendable (ModelState) -> Void)?
        var end: (@Sendable () -> Void)?
    }

    private let queue: @Sendable () -> DispatchQueue
    private let handlers: Lock<Handlers>

    /// - Parameters:
    ///   - queue: Asked for at each change.
    ///   - end: Called on the queue when no change can come any more because the app was deleted.
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

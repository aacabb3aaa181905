import Dispatch
import HearthConcurrency

/// The states of an app's models and their observers. Use it from any thread; no call blocks.
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

    /// The number of recorded changes. Read it before a lookup in the store, and pass it to `recordLookup` afterwards.
    func generation(of name: String) -> Int {
        contents.withLock { $0.entries[name]?.generation ?? 0 }
    }

    /// Records what a lookup in the store found. Ignored if a version was installed or removed during the lookup.
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

    /// Reports the present state to the observer, and each change from now on.
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

    /// Ends all observations.
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
                // Only queued here, under the lock, so that all observers see the changes in order.
                for observer in entry.observers { observer.notify(state) }
            }
            contents.entries[name] = entry
        }
    }
}

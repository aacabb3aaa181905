import Dispatch
import HearthStorage
import Synchronization

/// Follows what other servers change: makes the new snapshot, with its templates, before a device asks, and announces new
/// templates to the devices that wait at this server.
final class ServingFollower: Sendable {
    /// Several changes at once share a snapshot.
    private static let pause = DispatchTimeInterval.milliseconds(50)
    /// After a failure, for example without a database.
    private static let longPause = DispatchTimeInterval.seconds(1)

    private let serving: ServingState
    private let updates: TemplateUpdates
    /// That of the last snapshot whose templates were announced.
    private let history = Atomic<UInt64>(0)
    private let queue = DispatchQueue(label: "app.hearth.serving-changes")
    private let isScheduled = Atomic(false)

    init(_ serving: ServingState, _ updates: TemplateUpdates) {
        self.serving = serving
        self.updates = updates
    }

    /// Begins to follow, unless the store is this server's alone.
    func start(_ metadata: any MetadataStore) {
        guard metadata.coordination.isShared else { return }
        metadata.onServingChange { [weak self] in self?.schedule(after: Self.pause) }
    }

    private func schedule(after pause: DispatchTimeInterval) {
        guard !isScheduled.exchange(true, ordering: .acquiringAndReleasing) else { return }
        queue.asyncAfter(deadline: .now() + pause) { [weak self] in self?.refresh() }
    }

    private func refresh() {
        // A change after this moment schedules the next round.
        isScheduled.store(false, ordering: .sequentiallyConsistent)
        guard let new = try? serving.current() else { return schedule(after: Self.longPause) }
        let isOther = history.exchange(new.history, ordering: .relaxed) != new.history
        for (project, part) in new.projects {
            guard let template = part.template else { continue }
            updates.announce(template.number, project: project, isOther: isOther)
        }
    }
}

import HearthStorage
import Synchronization

/// Keeps the newest snapshot. A commit makes it old; the next caller makes the new one.
final class ServingState: Sendable {
    private let metadata: any MetadataStore
    private let snapshot = Mutex<ServingSnapshot?>(nil)
    /// Held while a snapshot is made, so that of many callers one makes it and the others wait for it.
    private let turn = Mutex<Void>(())

    init(_ metadata: any MetadataStore) { self.metadata = metadata }

    /// A snapshot that has every change that was committed before the call.
    func current() throws -> ServingSnapshot {
        let revision = metadata.servingRevision
        if let known = snapshot.withLock({ $0 }), known.revision >= revision { return known }
        return try turn.withLock { _ in
            if let known = snapshot.withLock({ $0 }), known.revision >= revision { return known }
            // Before the read: a commit in between makes the snapshot newer than its revision says, never older.
            let revision = metadata.servingRevision
            let old = snapshot.withLock { $0 }
            let made = try metadata.read { try ServingSnapshot(revision: revision, reader: $0, old: old) }
            snapshot.withLock { $0 = made }
            return made
        }
    }
}

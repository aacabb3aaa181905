import HearthConfiguration
import HearthStorage
import HearthTargeting
import Synchronization

/// Keeps the newest snapshot. A commit makes it old; the next caller makes the new one.
final class ServingState: Sendable {
    /// Conditions that were read to be checked and are about to be served.
    let conditions = RecentConditions()

    private let metadata: any MetadataStore
    private let log: @Sendable (String) -> Void
    /// Templates that were compiled to be checked and are about to be served, by project.
    private let prepared = Mutex<[String: ServedTemplate.Content]>([:])
    private let snapshot = Mutex<ServingSnapshot?>(nil)
    /// Held while a snapshot is made, so that of many callers one makes it and the others wait for it.
    private let turn = Mutex<Void>(())

    init(_ metadata: any MetadataStore, log: @escaping @Sendable (String) -> Void) {
        self.metadata = metadata
        self.log = log
    }

    /// The snapshot that was made last, however old; nil where there is none. It reads nothing, so it may be asked for in a
    /// transaction.
    var last: ServingSnapshot? { snapshot.withLock { $0 } }

    /// What the project's devices are answered from once the template of that number is committed. Call it in the
    /// transaction, and with nil where that is not to be any more.
    func prepare(_ content: ServedTemplate.Content?, for project: String) {
        prepared.withLock { $0[project] = content }
    }

    /// Compiles the template where nobody did: not on the HTTP server's threads.
    func content(of template: ServedTemplate) throws -> ServedTemplate.Content {
        try template.content(from: metadata, log: log)
    }

    /// A snapshot that has every change that was committed before the call.
    func current() throws -> ServingSnapshot {
        let revision = metadata.servingRevision
        if let known = snapshot.withLock({ $0 }), known.revision >= revision { return known }
        return try turn.withLock { _ in
            if let known = snapshot.withLock({ $0 }), known.revision >= revision { return known }
            // Before the read: a commit in between makes the snapshot newer than its revision says, never older.
            let revision = metadata.servingRevision
            let old = snapshot.withLock { $0 }
            let made = try metadata.read {
                try ServingSnapshot(
                    revision: revision, reader: $0, old: old, prepared: prepared.withLock { $0 }, recent: conditions,
                    log: log)
            }
            snapshot.withLock { $0 = made }
            // What is served is no longer needed here.
            prepared.withLock { prepared in
                prepared = prepared.filter { (made.projects[$0.key]?.template?.number ?? 0) < $0.value.number }
            }
            return made
        }
    }
}

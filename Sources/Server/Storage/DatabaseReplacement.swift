import Synchronization

/// A database that several servers share turned out to be another one than before: an earlier state of it, or one that went
/// another way since. So it is after a restore, or when a copy that lacks the last changes takes over.
package struct DatabaseReplacement: Sendable, Hashable {
    /// How often that has happened since the start.
    package var count: UInt64
    /// The last change of what is served that this server knew; the database does not contain it.
    package var knownRevision: Int64
    /// The one that the database had instead.
    package var foundRevision: Int64
    /// How long ago the server noticed.
    package var ageMicroseconds: Int64

    package init(count: UInt64, knownRevision: Int64, foundRevision: Int64, ageMicroseconds: Int64) {
        self.count = count
        self.knownRevision = knownRevision
        self.foundRevision = foundRevision
        self.ageMicroseconds = ageMicroseconds
    }

    /// For people.
    package var summary: String {
        """
        the database is not the one that this server knew: it does not contain the change \(knownRevision), and is at \
        \(foundRevision)
        """
    }
}

extension MetadataStore {
    /// Which of several databases this one is, in the order in which this server met them. Numbers that the database gave
    /// out, such as those of templates and releases, name the same thing only within one of them. Cheap to read.
    package var history: UInt64 { replacement?.count ?? 0 }
}

/// For one who keeps something in memory under a number of the database. Any thread.
package final class HistoryWatch: Sendable {
    private let last: Atomic<UInt64>

    package init(_ metadata: any MetadataStore) { last = Atomic(metadata.history) }

    /// Whether the database has become another one since the last call.
    package func hasChanged(_ metadata: any MetadataStore) -> Bool {
        let history = metadata.history
        return last.exchange(history, ordering: .acquiringAndReleasing) != history
    }
}

/// How a server stands with a database that runs elsewhere.
package struct StoreContact: Sendable, Hashable {
    /// How long ago the database was asked for the revision that it then said. `MetadataStore.servingRevision`, read after
    /// this, is at least that one.
    package var ageMicroseconds: Int64
    /// Whether it answers. While it does not, all calls of the store fail at once with `.unavailable`.
    package var isAnswering: Bool

    package init(ageMicroseconds: Int64, isAnswering: Bool) {
        self.ageMicroseconds = ageMicroseconds
        self.isAnswering = isAnswering
    }
}

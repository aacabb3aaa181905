package import HearthStorage

/// One transaction of a connection, which has begun it and ends it.
package struct SQLTransaction {
    private let session: SQLSession

    package init(on connection: any SQLConnection) { session = SQLSession(connection) }

    /// The look-ups and changes of the transaction; valid until it ends.
    package var store: any MetadataWriter { session }

    /// Says something about all of the data, or no longer.
    package func set(_ mark: DataMark, _ value: String?) throws(StorageError) {
        try session.set(mark, value)
    }

    /// Whether a change so far concerns serving snapshots.
    package var changesServing: Bool { session.changesServing }

    /// How many installations each project has got or lost so far, for an engine whose triggers do not count them.
    package var installationChanges: [String: Int] { session.installationChanges }
}

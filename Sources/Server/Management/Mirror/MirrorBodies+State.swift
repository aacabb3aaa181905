package import HearthCalls
package import HearthIdentity
package import HearthStorage

extension MirrorBodies {
    /// All that a follower copies, at one moment.
    package struct State: Sendable, Codable {
        /// The form of this body.
        package var format: Int
        /// The id of the main server's data, which never changes.
        package var server: String
        /// Grows with the main server's changes. An older state has a lower one.
        package var revision: Int64
        package var keys: MirroredKeys
        package var records: MirrorRecords
        /// The files of versions that running experiments give to devices.
        package var experimentFiles: [ExperimentFile]

        package init(
            format: Int = Self.currentFormat, server: String, revision: Int64, keys: MirroredKeys,
            records: MirrorRecords, experimentFiles: [ExperimentFile]
        ) {
            self.format = format
            self.server = server
            self.revision = revision
            self.keys = keys
            self.records = records
            self.experimentFiles = experimentFiles
        }

        /// Changes when a table or column is added, so that servers of two forms refuse each other instead of losing data.
        package static let currentFormat = 1
    }
}

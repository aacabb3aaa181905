/// One of the team's own images, on which the versions of a model are compared before a release. The bytes are in the
/// blob store.
package struct RehearsalImage: Sendable, Hashable {
    package var modelID: Int64
    /// Unique in the model's set; slashes separate folders.
    package var name: String
    /// Lower-case hex.
    package var sha256: String
    package var sizeBytes: UInt64
    /// The expected answer; nil for none.
    package var label: String?
    package var createdMicroseconds: Int64
    package var createdBy: String

    package init(
        modelID: Int64, name: String, sha256: String, sizeBytes: UInt64, label: String?, createdMicroseconds: Int64,
        createdBy: String
    ) {
        self.modelID = modelID
        self.name = name
        self.sha256 = sha256
        self.sizeBytes = sizeBytes
        self.label = label
        self.createdMicroseconds = createdMicroseconds
        self.createdBy = createdBy
    }
}

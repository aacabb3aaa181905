/// A version of a model: its bytes, its source and its creator, which never change, and a note. What is known about the
/// bytes is in their `Validation`.
package struct ModelVersion: Sendable, Hashable {
    package var modelID: Int64
    /// 1, 2, 3 … within the model.
    package var number: Int
    /// Lower-case hex.
    package var sha256: String
    package var sizeBytes: UInt64
    /// `gs://bucket/object`.
    package var sourceURI: String
    package var createdMicroseconds: Int64
    /// The creator: a service account's email, or `token:{id}`.
    package var createdBy: String
    /// What people wrote about it, in the form of `VersionNote`; nil for nothing. Unlike the rest, it can change.
    package var note: String?

    package init(
        modelID: Int64, number: Int, sha256: String, sizeBytes: UInt64, sourceURI: String, createdMicroseconds: Int64,
        createdBy: String, note: String? = nil
    ) {
        self.modelID = modelID
        self.number = number
        self.sha256 = sha256
        self.sizeBytes = sizeBytes
        self.sourceURI = sourceURI
        self.createdMicroseconds = createdMicroseconds
        self.createdBy = createdBy
        self.note = note
    }
}

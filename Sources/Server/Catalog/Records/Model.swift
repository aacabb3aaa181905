/// A named model of a project.
package struct Model: Sendable, Hashable {
    package var id: Int64
    package var projectID: String
    package var displayName: String
    package var tags: [String]
    /// The newest version; nil before the first file.
    package var newestVersion: Int?
    /// Whether any release is under way: what the management API shows as `state.published`.
    package var isPublished: Bool
    /// The version that every device may get; nil when there is none, or only a partial release.
    package var releasedVersion: Int?
    /// A version to release to all as soon as it has passed its check.
    package var publishWhenValidated: Int?
    package var contractCheck: ContractCheck
    /// Counts every change of the resource; shown as its etag.
    package var revision: Int64
    package var createdMicroseconds: Int64
    package var updatedMicroseconds: Int64

    /// What happens when a version with other inputs, outputs or labels than the released one is to be released.
    package enum ContractCheck: String, Sendable, Hashable, Codable, CaseIterable {
        /// It is released, and the answer says what differs.
        case warn
        /// It is refused unless the caller allows the change.
        case refuse
    }

    package init(
        id: Int64, projectID: String, displayName: String, tags: [String], newestVersion: Int? = nil,
        isPublished: Bool = false, releasedVersion: Int? = nil, publishWhenValidated: Int? = nil,
        contractCheck: ContractCheck = .warn, revision: Int64 = 0, createdMicroseconds: Int64,
        updatedMicroseconds: Int64
    ) {
        self.id = id
        self.projectID = projectID
        self.displayName = displayName
        self.tags = tags
        self.newestVersion = newestVersion
        self.isPublished = isPublished
        self.releasedVersion = releasedVersion
        self.publishWhenValidated = publishWhenValidated
        self.contractCheck = contractCheck
        self.revision = revision
        self.createdMicroseconds = createdMicroseconds
        self.updatedMicroseconds = updatedMicroseconds
    }
}

/// An immutable version of a model: which bytes, from where, by whom. What is known about the bytes is in their
/// `Validation`.
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
    /// Who made it: a service account's email, or `token:{id}`.
    package var createdBy: String

    package init(
        modelID: Int64, number: Int, sha256: String, sizeBytes: UInt64, sourceURI: String, createdMicroseconds: Int64,
        createdBy: String
    ) {
        self.modelID = modelID
        self.number = number
        self.sha256 = sha256
        self.sizeBytes = sizeBytes
        self.sourceURI = sourceURI
        self.createdMicroseconds = createdMicroseconds
        self.createdBy = createdBy
    }
}

/// A named model of a project.
public struct Model: Sendable, Hashable {
    public var id: Int64
    public var projectID: String
    public var displayName: String
    public var tags: [String]
    /// The newest version; nil before the first file.
    public var newestVersion: Int?
    /// Whether any release is under way: what the management API shows as `state.published`.
    public var isPublished: Bool
    /// The version that every device may get; nil when there is none, or only a partial release.
    public var releasedVersion: Int?
    /// A version to release to all as soon as it has passed its check.
    public var publishWhenValidated: Int?
    public var contractCheck: ContractCheck
    /// Counts every change of the resource; shown as its etag.
    public var revision: Int64
    public var createdMicroseconds: Int64
    public var updatedMicroseconds: Int64

    /// What happens when a version with other inputs, outputs or labels than the released one is to be released.
    public enum ContractCheck: String, Sendable, Hashable, Codable, CaseIterable {
        /// It is released, and the answer says what differs.
        case warn
        /// It is refused unless the caller allows the change.
        case refuse
    }

    public init(
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
public struct ModelVersion: Sendable, Hashable {
    public var modelID: Int64
    /// 1, 2, 3 … within the model.
    public var number: Int
    /// Lower-case hex.
    public var sha256: String
    public var sizeBytes: UInt64
    /// `gs://bucket/object`.
    public var sourceURI: String
    public var createdMicroseconds: Int64
    /// Who made it: a service account's email, or `token:{id}`.
    public var createdBy: String

    public init(
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

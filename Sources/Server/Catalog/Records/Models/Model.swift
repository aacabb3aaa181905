/// A named model of a project.
package struct Model: Sendable, Hashable {
    package var id: Int64
    package var projectID: String
    package var displayName: String
    package var tags: [String]
    /// The newest version; nil before the first file.
    package var newestVersion: Int?
    /// Whether any release is under way: `state.published` in the management API.
    package var isPublished: Bool
    /// The version that every device may get; nil if there is none, or only a partial release.
    package var releasedVersion: Int?
    /// A version to release to all devices as soon as it has passed its validation.
    package var publishWhenValidated: Int?
    package var contractCheck: ContractCheck
    /// What a rehearsal must show before a version is released, in the form of `RehearsalGate`; nil for nothing.
    package var rehearsalGate: String?
    package var rehearsalCheck: RehearsalCheck
    /// Counts all changes of the model; part of its etag.
    package var revision: Int64
    package var createdMicroseconds: Int64
    package var updatedMicroseconds: Int64

    /// What happens when a version is to be released whose inputs, outputs or labels differ from those of the released
    /// one.
    package enum ContractCheck: String, Sendable, Hashable, Codable, CaseIterable {
        /// The version is released, and the answer lists the differences.
        case warn
        /// The version is refused unless the caller allows the change.
        case refuse
    }

    /// What happens when a version is to be released whose rehearsal is missing or does not meet `rehearsalGate`.
    package enum RehearsalCheck: String, Sendable, Hashable, Codable, CaseIterable {
        /// The version is released, and the answer says why it should not be.
        case warn
        /// The version is refused unless the caller allows it.
        case refuse
    }

    package init(
        id: Int64, projectID: String, displayName: String, tags: [String], newestVersion: Int? = nil,
        isPublished: Bool = false, releasedVersion: Int? = nil, publishWhenValidated: Int? = nil,
        contractCheck: ContractCheck = .warn, rehearsalGate: String? = nil, rehearsalCheck: RehearsalCheck = .warn,
        revision: Int64 = 0, createdMicroseconds: Int64, updatedMicroseconds: Int64
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
        self.rehearsalGate = rehearsalGate
        self.rehearsalCheck = rehearsalCheck
        self.revision = revision
        self.createdMicroseconds = createdMicroseconds
        self.updatedMicroseconds = updatedMicroseconds
    }
}

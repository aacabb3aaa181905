/// The rules of a model's life: facts in, the new records and an audit entry out. No I/O.
///
/// - A version is made from an uploaded object and never changes.
/// - Only a version that is not malformed can be released.
/// - Publishing releases the newest version. New bytes on a published model are released at once when they pass
///   validation; when they do not, devices keep what they have.
public enum ModelLifecycle {
    /// Who asks, and when.
    public struct Context: Sendable {
        public var actor: String
        public var nowMicroseconds: Int64

        public init(actor: String, nowMicroseconds: Int64) {
            self.actor = actor
            self.nowMicroseconds = nowMicroseconds
        }
    }

    /// What is to be written in one transaction.
    public struct Change: Sendable {
        public var model: Model
        /// A version to insert.
        public var newVersion: ModelVersion?
        public var audit: [AuditEntry]
    }

    /// What a caller wants changed; nil leaves a field as it is.
    public struct Edit: Sendable {
        public var displayName: String?
        public var tags: [String]?
        public var published: Bool?
        /// The file to take, when the caller named one.
        public var object: UploadedObject?

        public init(
            displayName: String? = nil, tags: [String]? = nil, published: Bool? = nil, object: UploadedObject? = nil
        ) {
            self.displayName = displayName
            self.tags = tags
            self.published = published
            self.object = object
        }
    }

    /// A new model. `isTaken` tells whether the project has a model of that display name.
    public static func create(
        id: Int64, projectID: String, edit: Edit, isTaken: Bool, context: Context
    ) throws(CatalogError) -> Change {
        guard let displayName = edit.displayName else {
            throw CatalogError(.invalidArgument, "A display name is required.")
        }
        try check(displayName: displayName, tags: edit.tags)
        guard !isTaken else {
            throw CatalogError(.alreadyExists, "Model '\(displayName)' already exists")
        }
        let model = Model(
            id: id, projectID: projectID, displayName: displayName, tags: edit.tags ?? [], newestVersion: nil,
            releasedVersion: nil, revision: 0, createdMicroseconds: context.nowMicroseconds,
            updatedMicroseconds: context.nowMicroseconds)
        var change = Change(model: model, newVersion: nil, audit: [])
        record("model.create", displayName, in: &change, context)
        try apply(edit, newest: nil, to: &change, context)
        return finish(change, context)
    }

    /// A changed model. `newest` is the model's newest version; `isTaken` tells whether another model of the project
    /// has the wanted display name.
    public static func update(
        _ model: Model, newest: ModelVersion?, edit: Edit, isTaken: Bool, context: Context
    ) throws(CatalogError) -> Change {
        try check(displayName: edit.displayName, tags: edit.tags)
        var change = Change(model: model, newVersion: nil, audit: [])
        if let displayName = edit.displayName, displayName != model.displayName {
            guard !isTaken else {
                throw CatalogError(.alreadyExists, "Model '\(displayName)' already exists")
            }
            change.model.displayName = displayName
            record("model.rename", "\(model.displayName) -> \(displayName)", in: &change, context)
        }
        if let tags = edit.tags, tags != model.tags {
            change.model.tags = tags
            record("model.tag", tags.joined(separator: ","), in: &change, context)
        }
        try apply(edit, newest: newest, to: &change, context)
        return finish(change, context)
    }

    private static func check(displayName: String?, tags: [String]?) throws(CatalogError) {
        if let displayName, !Names.isDisplayName(displayName) {
            throw CatalogError(
                .invalidArgument, "A display name has 1 to 32 letters, digits, hyphens or underscores.")
        }
        guard (tags ?? []).allSatisfy(Names.isDisplayName), (tags ?? []).count <= 64 else {
            throw CatalogError(
                .invalidArgument, "A tag has 1 to 32 letters, digits, hyphens or underscores; at most 64 tags.")
        }
    }

    /// The file and the published flag, in that order: "take this file and publish it" is one request.
    private static func apply(
        _ edit: Edit, newest: ModelVersion?, to change: inout Change, _ context: Context
    ) throws(CatalogError) {
        var newest = newest
        if let object = edit.object, isNew(object, comparedTo: newest) {
            let version = ModelVersion(
                modelID: change.model.id, number: (newest?.number ?? 0) + 1, sha256: object.sha256,
                sizeBytes: object.sizeBytes, sourceURI: object.uri, verdict: object.verdict,
                contractJSON: object.contractJSON, createdMicroseconds: context.nowMicroseconds,
                createdBy: context.actor)
            change.newVersion = version
            change.model.newestVersion = version.number
            newest = version
            record("version.create", "version \(version.number) \(version.sha256)", in: &change, context)
            if change.model.isPublished, version.verdict.isPublishable {
                release(version, in: &change, context)
            }
        }
        switch edit.published {
        case true?:
            guard let newest, newest.verdict.isPublishable else {
                // The update that brought a refused file to a published model is kept: devices stay where they are.
                if change.model.isPublished, edit.object != nil { return }
                throw CatalogError(.failedPrecondition, "Cannot publish a model that is not verified.")
            }
            if change.model.releasedVersion != newest.number { release(newest, in: &change, context) }
        case false? where change.model.isPublished:
            change.model.releasedVersion = nil
            record("model.unpublish", "", in: &change, context)
        default:
            break
        }
    }

    /// A second identical update must succeed and make no version. The same bytes with another verdict are new: a check
    /// may have failed for want of time or memory, and a newer engine may judge otherwise.
    private static func isNew(_ object: UploadedObject, comparedTo newest: ModelVersion?) -> Bool {
        object.sha256 != newest?.sha256 || object.uri != newest?.sourceURI || object.verdict != newest?.verdict
    }

    private static func release(_ version: ModelVersion, in change: inout Change, _ context: Context) {
        change.model.releasedVersion = version.number
        record("model.publish", "version \(version.number)", in: &change, context)
    }

    private static func record(_ action: String, _ detail: String, in change: inout Change, _ context: Context) {
        change.audit.append(
            AuditEntry(
                projectID: change.model.projectID, actor: context.actor, action: action,
                subject: "models/\(change.model.id)", detail: detail, atMicroseconds: context.nowMicroseconds))
    }

    /// A change that changes nothing leaves revision and update time alone.
    private static func finish(_ change: Change, _ context: Context) -> Change {
        guard !change.audit.isEmpty else { return change }
        var change = change
        change.model.revision += 1
        change.model.updatedMicroseconds = context.nowMicroseconds
        return change
    }
}

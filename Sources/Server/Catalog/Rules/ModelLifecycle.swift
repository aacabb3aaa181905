/// The rules of a model's life: facts in, the new records and audit entries out. No I/O.
///
/// - A version is made from an uploaded object and never changes.
/// - Only a version whose bytes are not malformed can be released; one that is not checked yet is released when it has
///   passed.
/// - Publishing makes a full release of the newest version. New bytes on a published model are released at once when
///   they pass validation; when they do not, devices keep what they have.
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

    /// A version and what is known about its bytes.
    public struct KnownVersion: Sendable, Hashable {
        public var version: ModelVersion
        public var validation: Validation

        public init(version: ModelVersion, validation: Validation) {
            self.version = version
            self.validation = validation
        }
    }

    /// A model as it is before a change.
    public struct State: Sendable {
        public var model: Model
        public var newest: KnownVersion?
        /// The version of `model.releasedVersion`.
        public var released: KnownVersion?
        /// All releases, newest first.
        public var releases: [Release]

        public init(model: Model, newest: KnownVersion?, released: KnownVersion?, releases: [Release]) {
            self.model = model
            self.newest = newest
            self.released = released
            self.releases = releases
        }
    }

    /// What is to be written in one transaction.
    public struct Change: Sendable {
        public var model: Model
        /// A version to insert.
        public var newVersion: ModelVersion?
        /// Releases to insert, and those to update.
        public var newReleases: [Release] = []
        public var changedReleases: [Release] = []
        /// What the caller should know, one line each.
        public var warnings: [String] = []
        public var audit: [AuditEntry] = []

        init(model: Model) { self.model = model }
    }

    /// What a caller wants changed; nil leaves a field as it is.
    public struct Edit: Sendable {
        public var displayName: String?
        public var tags: [String]?
        public var published: Bool?
        /// The file to take, when the caller named one, and what is known about its bytes.
        public var upload: (object: UploadedObject, validation: Validation)?

        public init(
            displayName: String? = nil, tags: [String]? = nil, published: Bool? = nil,
            upload: (object: UploadedObject, validation: Validation)? = nil
        ) {
            self.displayName = displayName
            self.tags = tags
            self.published = published
            self.upload = upload
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
            id: id, projectID: projectID, displayName: displayName, tags: edit.tags ?? [],
            createdMicroseconds: context.nowMicroseconds, updatedMicroseconds: context.nowMicroseconds)
        var change = Change(model: model)
        record("model.create", displayName, in: &change, context)
        try apply(edit, to: &change, State(model: model, newest: nil, released: nil, releases: []), context)
        return finish(change, context)
    }

    /// A changed model. `isTaken` tells whether another model of the project has the wanted display name.
    public static func update(
        _ state: State, edit: Edit, isTaken: Bool, context: Context
    ) throws(CatalogError) -> Change {
        try check(displayName: edit.displayName, tags: edit.tags)
        var change = Change(model: state.model)
        if let displayName = edit.displayName, displayName != state.model.displayName {
            guard !isTaken else {
                throw CatalogError(.alreadyExists, "Model '\(displayName)' already exists")
            }
            change.model.displayName = displayName
            record("model.rename", "\(state.model.displayName) -> \(displayName)", in: &change, context)
        }
        if let tags = edit.tags, tags != state.model.tags {
            change.model.tags = tags
            record("model.tag", tags.joined(separator: ","), in: &change, context)
        }
        try apply(edit, to: &change, state, context)
        return finish(change, context)
    }

    /// The verdict on a version that was to be published has come. Nil when nothing is to be done.
    public static func validated(_ state: State, context: Context) -> Change? {
        guard let waiting = state.model.publishWhenValidated, let newest = state.newest,
            newest.version.number == waiting, newest.validation.verdict != .pending
        else { return nil }
        var change = Change(model: state.model)
        change.model.publishWhenValidated = nil
        if newest.validation.verdict.isPublishable {
            release(newest, in: &change, state, context)
        } else {
            record("model.publish.refused", "version \(waiting) is malformed", in: &change, context)
        }
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
        _ edit: Edit, to change: inout Change, _ state: State, _ context: Context
    ) throws(CatalogError) {
        var newest = state.newest
        if let upload = edit.upload, isNew(upload.object, comparedTo: newest?.version) {
            let version = ModelVersion(
                modelID: change.model.id, number: (newest?.version.number ?? 0) + 1, sha256: upload.object.sha256,
                sizeBytes: upload.object.sizeBytes, sourceURI: upload.object.uri,
                createdMicroseconds: context.nowMicroseconds, createdBy: context.actor)
            let known = KnownVersion(version: version, validation: upload.validation)
            change.newVersion = version
            change.model.newestVersion = version.number
            newest = known
            record("version.create", "version \(version.number) \(version.sha256)", in: &change, context)
            if change.model.isPublished { publish(known, in: &change, state, context) }
        }
        switch edit.published {
        case true?:
            guard let newest, newest.validation.verdict.isPublishable || newest.validation.verdict == .pending else {
                // The update that brought a refused file to a published model is kept: devices stay where they are.
                if change.model.isPublished, edit.upload != nil { return }
                throw CatalogError(.failedPrecondition, "Cannot publish a model that is not verified.")
            }
            if change.newReleases.isEmpty, change.model.releasedVersion != newest.version.number {
                publish(newest, in: &change, state, context)
            }
        case false? where change.model.isPublished || change.model.publishWhenValidated != nil:
            change.model.isPublished = false
            change.model.releasedVersion = nil
            change.model.publishWhenValidated = nil
            change.newReleases = []
            end(state.releases, in: &change, context)
            record("model.unpublish", "", in: &change, context)
        default:
            break
        }
    }

    /// A second identical update must succeed and make no version.
    private static func isNew(_ object: UploadedObject, comparedTo newest: ModelVersion?) -> Bool {
        object.sha256 != newest?.sha256 || object.uri != newest?.sourceURI
    }

    /// Releases the version to all, now or as soon as it has passed its check.
    private static func publish(
        _ known: KnownVersion, in change: inout Change, _ state: State, _ context: Context
    ) {
        if known.validation.verdict == .pending {
            guard change.model.publishWhenValidated != known.version.number else { return }
            change.model.publishWhenValidated = known.version.number
            record("model.publish.wait", "version \(known.version.number)", in: &change, context)
        } else if known.validation.verdict.isPublishable {
            release(known, in: &change, state, context)
        }
    }

    /// A full release, which ends all others.
    private static func release(
        _ known: KnownVersion, in change: inout Change, _ state: State, _ context: Context
    ) {
        end(state.releases, in: &change, context)
        change.newReleases.append(
            Release(
                modelID: change.model.id, number: (state.releases.first?.number ?? 0) + 1,
                version: known.version.number, kind: .publish, createdMicroseconds: context.nowMicroseconds,
                createdBy: context.actor))
        change.model.isPublished = true
        change.model.releasedVersion = known.version.number
        change.model.publishWhenValidated = nil
        record("model.publish", "version \(known.version.number)", in: &change, context)
    }

    private static func end(_ releases: [Release], in change: inout Change, _ context: Context) {
        change.changedReleases = releases.filter { $0.endedMicroseconds == nil }.map { release in
            var release = release
            release.endedMicroseconds = context.nowMicroseconds
            return release
        }
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

package import HearthCatalog

/// What the server remembers besides bytes. Implementation: SQLite.
///
/// Reads see one consistent state; a write is one transaction, applied whole or not at all. Calls block and come
/// from the HTTP server's threads, any number at once.
package protocol MetadataStore: Sendable {
    /// Grows with every committed change of projects, accounts, keys, tokens, models, versions or releases: of all that
    /// a serving snapshot is made of. Cheap to ask for. A snapshot read after the revision is at least that new.
    var servingRevision: UInt64 { get }

    /// Whether the store's engine came upon damage in its files: what is not answered wrong today may be tomorrow. Stays so
    /// until it is opened anew. A single row that cannot be read is an error of the call that reads it, and not told here.
    var isDamaged: Bool { get }

    func read<Result>(_ body: (any MetadataReader) throws -> Result) throws -> Result

    /// Writers take turns. When `body` throws, nothing of it remains.
    func write<Result>(_ body: (any MetadataWriter) throws -> Result) throws -> Result
}

/// Look-ups inside one consistent state. Valid only during the closure it was lent to.
package protocol MetadataReader {
    func projects() throws -> [Project]
    func project(id: String) throws -> Project?

    func serviceAccount(email: String) throws -> ServiceAccount?
    /// All of the server, in order of email.
    func serviceAccounts() throws -> [ServiceAccount]
    /// All of the server, oldest first; ended ones too.
    func accountKeys() throws -> [AccountKey]
    func apiKey(id: String, project: String) throws -> APIKey?
    /// All of the server, oldest first; ended ones too.
    func apiKeys() throws -> [APIKey]
    func adminToken(id: String) throws -> AdminToken?
    /// All of the server, oldest first; ended ones too.
    func adminTokens() throws -> [AdminToken]
    func installation(fid: String, project: String) throws -> Installation?
    func installationCount(project: String) throws -> Int
    /// What the clocks said when they were last written down; nil where they never were.
    func clockMark() throws -> ClockCheckpoint?

    func model(id: Int64, project: String) throws -> Model?
    func model(displayName: String, project: String) throws -> Model?
    /// Models with an id above `after`, in order of id, at most `limit`.
    func models(project: String, after: Int64, limit: Int) throws -> [Model]
    /// Models of any project that wait for the verdict on these bytes, to be published then.
    func modelsToPublish(sha256: String) throws -> [Model]
    func version(_ number: Int, model: Int64) throws -> ModelVersion?
    func versions(model: Int64) throws -> [ModelVersion]
    func release(_ number: Int, model: Int64) throws -> Release?
    /// Newest first, ended ones too.
    func releases(model: Int64) throws -> [Release]
    /// Every release of the server that has not ended, the newest of a model first.
    func servedReleases() throws -> [ServedRelease]

    func object(bucket: String, name: String, project: String) throws -> UploadedObject?
    /// All of a project, in order of bucket and name.
    func objects(project: String) throws -> [UploadedObject]
    func validation(sha256: String) throws -> Validation?
    /// In the order in which they were asked for.
    func pendingValidations() throws -> [Validation]
    /// Every validation, in order of hash.
    func validations() throws -> [Validation]
    /// Hashes that a version, an uploaded object or an upload that is about to become one has.
    func referencedHashes() throws -> Set<String>
    /// Whether the hash is one of `referencedHashes`.
    func isReferenced(sha256: String) throws -> Bool
    /// Whether a version of the object's project was made from it: from its address, with its bytes.
    func hasVersion(of object: UploadedObject) throws -> Bool
    func uploadSession(id: String) throws -> UploadSession?
    /// All of the server, oldest first.
    func uploadSessions() throws -> [UploadSession]

    /// That version of a project's template, or the active one where no number is given; nil where there is none.
    func template(project: String, namespace: String, number: Int64?) throws -> TemplateVersion?
    /// Newest first, those with a number below `before` that were made within the times (in microseconds), at most `limit`.
    /// Their bodies, which may be large, are left out and empty.
    func templateHistory(
        project: String, namespace: String, before: Int64?, madeIn times: Range<Int64>, limit: Int
    ) throws -> [TemplateVersion]
    /// The number of the active template of every project that has one in that namespace, by project.
    func activeTemplateNumbers(namespace: String) throws -> [String: Int64]

    func experiment(_ name: String, project: String) throws -> ExperimentRecord?
    /// Newest first.
    func experiments(project: String) throws -> [ExperimentRecord]
    /// Those of the server that run, in order of project and name.
    func runningExperiments() throws -> [ExperimentRecord]
    /// With what was counted of each; in order of installation, without the first `skipping` ones, at most `limit`.
    func units(experiment: String, project: String, skipping: Int, limit: Int) throws -> [ExperimentUnit]
    /// Whether the installation was exposed, and to which variant: without what was counted.
    func unitVariant(_ installation: String, experiment: String, project: String) throws -> Int?
    /// How many installations have each variant, by the variant's place.
    func unitCounts(experiment: String, project: String) throws -> [Int: Int]
    /// In order of variant and metric; without those that nothing was counted of.
    func variantTotals(experiment: String, project: String) throws -> [VariantTotal]
    func journal(_ name: String, installation: String, project: String) throws -> EventJournal?
    /// Newest day first, then by name and model, at most `limit`.
    func eventDays(project: String, limit: Int) throws -> [EventDay]
    /// How many different events a day has up to now.
    func eventDayCount(project: String, day: Int64) throws -> Int

    /// Newest first, those with an id below `before`. A nil project means all.
    func audit(
        project: String?, matching filter: AuditFilter, before: Int64?, limit: Int
    ) throws -> [AuditEntry]
}

extension MetadataReader {
    /// Newest first, those with an id below `before`. A nil project means all.
    package func audit(project: String?, before: Int64?, limit: Int) throws -> [AuditEntry] {
        try audit(project: project, matching: AuditFilter(), before: before, limit: limit)
    }
}

/// Look-ups and changes inside one transaction.
///
/// Every `insert` throws `StorageError.conflict` when a value that must be unique is taken or the owner is not there;
/// every `update` throws `.notFound` when there is no such record; a `delete` of what is not there throws `.notFound`.
package protocol MetadataWriter: MetadataReader {
    func insert(_ project: Project) throws
    /// Removes the project and all that is its: accounts, keys, tokens, installations, uploads. The audit log keeps what
    /// was done. Throws `StorageError.conflict` while the project has a model.
    func delete(_ project: Project) throws

    /// The email is unique on the server.
    func insert(_ account: ServiceAccount) throws
    func update(_ account: ServiceAccount) throws
    /// Id and client id are unique on the server.
    func insert(_ key: AccountKey) throws
    func update(_ key: AccountKey) throws
    /// Id and secret are unique on the server.
    func insert(_ key: APIKey) throws
    func update(_ key: APIKey) throws
    func insert(_ token: AdminToken) throws
    func update(_ token: AdminToken) throws
    func insert(_ installation: Installation) throws
    func delete(_ installation: Installation) throws
    /// Replaces the one there was.
    func put(_ mark: ClockCheckpoint) throws

    /// An id that no model ever had, also not a deleted one.
    func nextModelID() throws -> Int64
    /// Id, and display name in the project, are unique.
    func insert(_ model: Model) throws
    func update(_ model: Model) throws
    /// Removes the model, its versions and its releases.
    func delete(_ model: Model) throws
    func insert(_ version: ModelVersion) throws
    func insert(_ release: Release) throws
    func update(_ release: Release) throws

    /// Replaces an object of the same name.
    func put(_ object: UploadedObject) throws
    func delete(_ object: UploadedObject) throws
    /// Replaces what was known about the same bytes.
    func put(_ validation: Validation) throws
    func delete(_ validation: Validation) throws
    func insert(_ session: UploadSession) throws
    func update(_ session: UploadSession) throws
    func delete(_ session: UploadSession) throws

    /// Number, project and namespace together are unique.
    func insert(_ template: TemplateVersion) throws
    /// Removes all but the newest `keeping` versions, and those made before `microseconds`; the active one stays always.
    func deleteTemplates(project: String, namespace: String, keeping: Int, createdBefore microseconds: Int64) throws

    /// The name is unique in the project.
    func insert(_ experiment: ExperimentRecord) throws
    func update(_ experiment: ExperimentRecord) throws
    /// Removes what was counted for it as well.
    func delete(_ experiment: ExperimentRecord) throws
    /// Its totals are not looked at. Throws `StorageError.conflict` where the installation is there already.
    func insert(_ unit: ExperimentUnit) throws
    /// Adds to what was counted of the installation for the metric of that place.
    func add(_ total: MetricTotal, metric: Int, to unit: ExperimentUnit) throws
    /// Replaces what was known of the journal; of an installation's journals, only the `keeping` ones that were touched
    /// last are kept.
    func put(_ journal: EventJournal, keeping: Int) throws
    /// Adds to the count and the sum of the same day, event and model.
    func add(_ events: EventDay) throws
    /// Removes the counts of days before `day`, and journals that were not touched since `microseconds`. How many rows went.
    func deleteEvents(beforeDay day: Int64, untouchedSinceMicroseconds microseconds: Int64) throws -> Int

    /// The store gives the id.
    func append(_ entry: AuditEntry) throws
}

extension MetadataReader {
    /// A version with what is known about its bytes; nil for no number, and for one that is not there.
    package func known(_ number: Int?, of model: Model) throws -> ModelLifecycle.KnownVersion? {
        guard let number, let version = try version(number, model: model.id),
            let validation = try validation(sha256: version.sha256)
        else { return nil }
        return ModelLifecycle.KnownVersion(version: version, validation: validation)
    }

    /// All that the rules of a model's life look at, as it is at that moment.
    package func state(of model: Model, nowMicroseconds: Int64) throws -> ModelLifecycle.State {
        let releases = try releases(model: model.id)
        let lastReleased = ReleaseLifecycle.lastReleasedVersion(releases, nowMicroseconds: nowMicroseconds)
        return ModelLifecycle.State(
            model: model, newest: try known(model.newestVersion, of: model),
            lastReleased: try known(lastReleased, of: model), releases: releases)
    }
}

extension MetadataWriter {
    /// Writes what the rules of a model's life decided. The model itself is there already.
    package func save(_ change: ModelLifecycle.Change) throws {
        if try model(id: change.model.id, project: change.model.projectID) != change.model { try update(change.model) }
        if let version = change.newVersion { try insert(version) }
        for release in change.changedReleases { try update(release) }
        for release in change.newReleases { try insert(release) }
        for entry in change.audit { try append(entry) }
    }
}

/// Sizes as databases keep them: as signed 64-bit integers.
package enum StoredSize {
    /// - Throws: `.tooLarge` where the size has no such form.
    package static func integer(_ bytes: UInt64) throws(StorageError) -> Int64 {
        guard let size = Int64(exactly: bytes) else {
            throw StorageError(.tooLarge, "A size of \(bytes) bytes cannot be stored")
        }
        return size
    }
}

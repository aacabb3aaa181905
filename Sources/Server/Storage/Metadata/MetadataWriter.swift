public import HearthCatalog

/// Look-ups and changes inside one transaction.
///
/// Every `insert` throws `StorageError.conflict` when a value that must be unique is taken or the owner is not there;
/// every `update` throws `.notFound` when there is no such record; a `delete` of what is not there throws `.notFound`.
public protocol MetadataWriter: MetadataReader {
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
    func put(_ mark: ClockMark) throws

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

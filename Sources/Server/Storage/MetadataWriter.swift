package import HearthCatalog
package import HearthWire

/// Look-ups and changes inside one transaction.
///
/// Every `insert` throws `StorageError.conflict` if a unique value is taken or the owner does not exist. Every `update`
/// and `delete` throws `.notFound` if there is no such record. After a conflict the transaction cannot succeed any more.
package protocol MetadataWriter: MetadataReader {
    /// Says something about all of the data, or no longer.
    func set(_ mark: DataMark, _ value: String?) throws

    func insert(_ project: Project) throws
    /// Removes the project and all that belongs to it: accounts, keys, tokens, installations, uploads. The audit log
    /// keeps its entries. Throws `StorageError.conflict` while the project has a model.
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
    /// The number is unique on the server.
    func insert(_ key: SigningKey) throws
    func update(_ key: SigningKey) throws
    func insert(_ installation: Installation) throws
    func delete(_ installation: Installation) throws
    /// Replaces the stored clocks.
    func put(_ mark: ClockCheckpoint) throws

    /// An id that no model ever had, including deleted ones.
    func nextModelID() throws -> Int64
    /// Id, and display name in the project, are unique.
    func insert(_ model: Model) throws
    func update(_ model: Model) throws
    /// Removes the model, its versions and their aliases, its releases, its rehearsals and their images.
    func delete(_ model: Model) throws
    func insert(_ version: ModelVersion) throws
    /// Changes the note of a version; nil removes it.
    func setNote(_ note: String?, version: Int, model: Int64) throws
    /// Replaces the model's alias of the same name. Throws `StorageError.conflict` if there is no such version.
    func put(_ alias: VersionAlias) throws
    func delete(_ alias: VersionAlias) throws
    func insert(_ release: Release) throws
    func update(_ release: Release) throws

    /// Replaces the model's image of the same name.
    func put(_ image: RehearsalImage) throws
    func delete(_ image: RehearsalImage) throws
    /// Replaces the result for the same files and images. Of a model's results, only the `keeping` newest are kept.
    func put(_ rehearsal: RehearsalRecord, keeping: Int) throws

    /// Replaces what the same server said before. Ignores rehearsals of models that do not exist, and disappears with the
    /// model.
    func put(_ rehearsal: OpenRehearsal) throws
    func deleteOpenRehearsal(_ id: String, server: String) throws
    func deleteOpenRehearsals(untouchedSinceMicroseconds: Int64) throws

    /// Replaces an object of the same name.
    func put(_ object: UploadedObject) throws
    func delete(_ object: UploadedObject) throws
    /// Replaces the validation of the same bytes.
    func put(_ validation: Validation) throws
    func delete(_ validation: Validation) throws
    func insert(_ session: UploadSession) throws
    func update(_ session: UploadSession) throws
    func delete(_ session: UploadSession) throws

    /// Number, project and namespace together are unique.
    func insert(_ template: TemplateVersion) throws
    /// Removes all versions except the newest `keeping`, and all versions created before `microseconds`. The active
    /// version always stays.
    func deleteTemplates(project: String, namespace: String, keeping: Int, createdBefore microseconds: Int64) throws

    /// The name is unique in the project.
    func insert(_ experiment: ExperimentRecord) throws
    func update(_ experiment: ExperimentRecord) throws
    /// Also removes all counts and the history of the experiment.
    func delete(_ experiment: ExperimentRecord) throws
    /// Ignores the unit's totals. Throws `StorageError.conflict` if the installation is already a unit of the
    /// experiment.
    func insert(_ unit: ExperimentUnit) throws
    /// Adds to the installation's counts for the metric with that index.
    func add(_ total: MetricTotal, metric: Int, to unit: ExperimentUnit) throws
    /// Replaces the point of the same moment.
    func put(_ point: ExperimentPoint) throws
    /// Removes the points of these moments.
    func deletePoints(experiment: String, project: String, times: [Int64]) throws
    /// Replaces the stored state of the journal. Of an installation's journals, only the `keeping` most recently
    /// touched ones are kept.
    func put(_ journal: EventJournal, keeping: Int) throws
    /// Adds to the count and the sum of the same day, event and model.
    func add(_ events: EventDay) throws
    /// Removes the counts of days before `day`, and journals that were not touched since `microseconds`. Returns the
    /// number of removed rows.
    func deleteEvents(beforeDay day: Int64, untouchedSinceMicroseconds microseconds: Int64) throws -> Int

    /// Adds a report to the counts of the present minute. Ignores reports about models that do not exist.
    func add(_ health: ModelHealth, project: String, nowMicroseconds: Int64) throws
    /// Makes old periods part of longer ones, and removes the oldest (`HealthCounts.periods`): at most `limit`. Returns
    /// how many there were.
    func foldHealth(nowMicroseconds: Int64, limit: Int) throws -> Int

    /// Changes the samples by what installations said; the newest day of each counts. Ignores models that do not exist.
    ///
    /// - Returns: how many rows changed. If there are none, the transaction writes nothing.
    ///
    /// Here and below, `rowLimit` is the most rows of a version's sample, `AdoptionSample.rowLimit` except in tests.
    func recordAdoption(_ sightings: [AdoptionSighting], today: Int64, rowLimit: Int) throws -> Int
    /// Adds rows of another server's samples of the same model. Both servers must have the same secret.
    ///
    /// - Parameter shifts: what `adoptionShifts` of the other server says.
    func mergeAdoption(
        _ rows: [AdoptionRow], shifts: [Int: Int], model: Int64, today: Int64, rowLimit: Int
    ) throws -> Int
    /// Removes an installation from the samples of all models of the project.
    func deleteAdoption(of installation: Int64, project: String) throws
    /// Removes the rows of a model that are too old to count, and makes samples larger that have become small. Returns
    /// the number of removed rows.
    func cleanAdoption(model: Int64, today: Int64, rowLimit: Int) throws -> Int
    /// Replaces the pin of the same device for the same model or experiment. A pin disappears with its installation,
    /// model or experiment.
    func put(_ pin: Pin) throws
    /// Removes the pin of that device for that model or experiment.
    func delete(_ pin: Pin) throws

    /// Replaces older calls of the same installations for the same models, ignores those of projects that do not exist, and
    /// keeps about the `keeping` newest ones. A call disappears with its project.
    func put(_ calls: [RecentCall], keeping: Int) throws
    func deleteRecentCalls(of installation: String, project: String) throws

    func insert(_ session: ConsoleSession) throws
    func setUsed(_ session: ConsoleSession, atMicroseconds: Int64) throws
    func delete(_ session: ConsoleSession) throws
    /// Replaces the value of the same name. It disappears with its session.
    func put(_ value: ConsoleValue) throws
    /// Returns whether there was one.
    func deleteConsoleValue(_ name: String, session: String) throws -> Bool
    /// Of the values with such names, removes the oldest of the session beyond `mostOfSession`, then the oldest of all
    /// sessions that have more than `mostCharacters` together; nil for any number.
    func trimConsoleValues(
        beginningWith prefix: String, session: String, mostOfSession: Int, mostCharacters: Int?) throws
    func insert(_ code: SignInCode) throws
    /// Removes the code and returns it, so that only one caller gets it; nil if there is no such code.
    func takeSignInCode(secretHash: String) throws -> SignInCode?
    /// A link disappears with its project, and with the release or experiment that it shows.
    func insert(_ link: SharedLink) throws
    func delete(_ link: SharedLink) throws
    /// Removes the codes and links that have ended, and the sessions that ended, or were without use, for longer than
    /// `knownMicroseconds`. Returns their number.
    func deleteEndedConsoleAccess(
        nowMicroseconds: Int64, unusedSinceMicroseconds: Int64, knownMicroseconds: Int64
    ) throws -> Int

    func put(_ watch: RolloutWatchRecord) throws
    /// The store assigns the id. A piece disappears with its release.
    func insert(_ sightings: RolloutSightings) throws
    /// Returns how many there were.
    func deleteRolloutSightings(_ ids: [Int64]) throws -> Int
    /// Deletes what was seen of a release's devices, if anything is stored.
    func deleteRolloutWatch(of release: Int, model: Int64) throws

    /// Adds those whose project exists and that are not there yet. Returns how many that were.
    func insertIfAbsent(_ installations: [Installation]) throws -> Int
    /// Notes that the main server does not know the installation yet, until `noteSent` or its deletion.
    func noteUnsent(_ installation: Installation) throws
    /// Those that are not noted as unsent stay as they are.
    func noteSent(_ installations: [Installation]) throws
    /// Makes the mirrored tables equal to these, at a follower. Installations and counts stay.
    ///
    /// - Parameter anew: writes every row again. It loses counts, and is needed only if rows have exchanged unique values.
    func replaceMirrored(_ records: MirrorRecords, anew: Bool) throws

    /// The store assigns the id.
    func append(_ entry: AuditEntry) throws
}

extension MetadataWriter {
    /// Writes what the rules of a model's life decided. The model itself must exist.
    package func save(_ change: ModelLifecycle.Change) throws {
        if try model(id: change.model.id, project: change.model.projectID) != change.model { try update(change.model) }
        if let version = change.newVersion { try insert(version) }
        for release in change.changedReleases { try update(release) }
        for release in change.newReleases { try insert(release) }
        for entry in change.audit { try append(entry) }
    }
}

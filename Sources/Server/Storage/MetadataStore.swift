package import HearthCatalog
package import HearthWire

/// What the server stores besides bytes. Implemented with SQLite.
///
/// Reads see one consistent state. A write is one transaction, applied completely or not at all. Calls block, and come
/// from the HTTP server's threads, any number at once.
package protocol MetadataStore: Sendable {
    /// Grows with every committed change of what a serving snapshot contains: projects, accounts, keys, tokens, models,
    /// versions and releases; also with every change of the signing keys. Cheap to read. A snapshot that is read after the
    /// revision is at least as new.
    ///
    /// This process counts it: it grows whenever the database has something else than before, also if that is older. So it
    /// says nothing to another process.
    var servingRevision: UInt64 { get }
    /// The revision that the data have now, also if another server has changed them a moment ago. Asks the database of
    /// several servers.
    ///
    /// - Throws: `.unavailable` at once while this server hears nothing from the database.
    func currentServingRevision() throws -> UInt64
    /// Calls `body` whenever `servingRevision` has grown, on any thread. It must return at once, and not call the store.
    /// A store that no other server uses makes no calls: its changes are this server's own.
    func onServingChange(_ body: @escaping @Sendable () -> Void)

    /// Whether the store's engine has found damage in its files: later answers may be wrong. It stays true until the
    /// store is opened again. A single row that cannot be decoded does not count: it is an error of the call that reads
    /// it.
    var isDamaged: Bool { get }

    /// Why the records must not be changed now; nil if they may be. Cheap to read, and a second late at most.
    var readOnlyReason: String? { get }

    /// `readOnlyReason` as it was read last, which a server does about once a second. It waits for nothing.
    var lastReadOnlyReason: String? { get }

    /// What this server and others over the same data agree on.
    var coordination: any ServerCoordination { get }

    /// The connections to a database; nil where there are none.
    var databaseUse: DatabaseUse? { get }

    /// Nil for a database inside of this process, which always answers. Cheap to read.
    var contact: StoreContact? { get }

    /// The last time that the database turned out to be another one than before; nil if it never did. A database inside of
    /// this process stays the same.
    var replacement: DatabaseReplacement? { get }

    func read<Result>(_ body: (any MetadataReader) throws -> Result) throws -> Result

    /// Reads what is served, and what depends on it, to keep it in memory until `servingRevision` grows. The store then
    /// notices if another database takes over that lacks a change which `body` has seen, even if the server had not heard of
    /// that change before.
    func readServed<Result>(_ body: (any MetadataReader) throws -> Result) throws -> Result

    /// Writers run one at a time. If `body` throws, the transaction is undone.
    ///
    /// - Throws: `.readOnly` while the records must not be changed.
    func write<Result>(_ body: (any MetadataWriter) throws -> Result) throws -> Result
}

extension MetadataStore {
    package var coordination: any ServerCoordination { SoleServer() }
    package var databaseUse: DatabaseUse? { nil }
    package var readOnlyReason: String? { nil }
    package var lastReadOnlyReason: String? { readOnlyReason }
    package var contact: StoreContact? { nil }
    package var replacement: DatabaseReplacement? { nil }
    package func currentServingRevision() throws -> UInt64 { servingRevision }
    package func onServingChange(_ body: @escaping @Sendable () -> Void) {}
    package func readServed<Result>(_ body: (any MetadataReader) throws -> Result) throws -> Result { try read(body) }
}

/// Look-ups inside one consistent state. Valid only during the closure that gets it.
package protocol MetadataReader {
    /// What is said about all of the data; nil if nothing is.
    func value(of mark: DataMark) throws -> String?

    func projects() throws -> [Project]
    func project(id: String) throws -> Project?

    func serviceAccount(email: String) throws -> ServiceAccount?
    /// All of the server, in order of email.
    func serviceAccounts() throws -> [ServiceAccount]
    /// All of the server, oldest first, including ended ones.
    func accountKeys() throws -> [AccountKey]
    func apiKey(id: String, project: String) throws -> APIKey?
    /// All of the server, oldest first, including ended ones.
    func apiKeys() throws -> [APIKey]
    func adminToken(id: String) throws -> AdminToken?
    /// All of the server, oldest first, including ended ones.
    func adminTokens() throws -> [AdminToken]
    /// The keys that sign tokens and links, oldest first, including retired ones. Empty where they are in files.
    func signingKeys() throws -> [SigningKey]
    func installation(fid: String, project: String) throws -> Installation?
    func installationCount(project: String) throws -> Int
    /// The installations of all projects, in order of their creation: at most `limit` after the cursor.
    func installations(after cursor: InstallationCursor, limit: Int) throws -> [Installation]
    /// The oldest installations that registered at this follower and that its main server does not know yet.
    func unsentInstallations(limit: Int) throws -> [Installation]
    /// All that a follower copies.
    func mirrorRecords() throws -> MirrorRecords
    /// The clocks as stored last; nil if they never were.
    func clockMark() throws -> ClockCheckpoint?

    func model(id: Int64, project: String) throws -> Model?
    func model(displayName: String, project: String) throws -> Model?
    /// Models with an id above `after`, in order of id, at most `limit`.
    func models(project: String, after: Int64, limit: Int) throws -> [Model]
    /// Models of any project that will be published when these bytes have passed their validation.
    func modelsToPublish(sha256: String) throws -> [Model]
    func version(_ number: Int, model: Int64) throws -> ModelVersion?
    func versions(model: Int64) throws -> [ModelVersion]
    /// In order of name.
    func aliases(model: Int64) throws -> [VersionAlias]
    /// The aliases of all models of the project, in order of model and name.
    func aliases(project: String) throws -> [VersionAlias]
    func release(_ number: Int, model: Int64) throws -> Release?
    /// Newest first, including ended ones.
    func releases(model: Int64) throws -> [Release]
    /// Every release of the server that has not ended, the newest of a model first.
    func servedReleases() throws -> [ServedRelease]

    /// In order of name.
    func rehearsalImages(model: Int64) throws -> [RehearsalImage]
    func rehearsalImage(_ name: String, model: Int64) throws -> RehearsalImage?
    /// The hashes of all images of the server.
    func rehearsalImageHashes() throws -> Set<String>
    func isRehearsalImage(sha256: String) throws -> Bool
    /// The models with at least so many images, in order of id.
    func models(withRehearsalImages least: Int) throws -> [Model]
    /// Newest first, without their images.
    func rehearsals(model: Int64) throws -> [RehearsalRecord]
    /// What servers said about their rehearsals, in order of id and server.
    func openRehearsals(model: Int64) throws -> [OpenRehearsal]
    /// The result for these files and images.
    func rehearsal(
        candidate: String, baseline: String, imageSet: String, model: Int64
    ) throws -> RehearsalRecord?

    func object(bucket: String, name: String, project: String) throws -> UploadedObject?
    /// All of a project, in order of bucket and name.
    func objects(project: String) throws -> [UploadedObject]
    func validation(sha256: String) throws -> Validation?
    /// In the order of their requests.
    func pendingValidations() throws -> [Validation]
    /// Every validation, in order of hash.
    func validations() throws -> [Validation]
    /// Hashes that a version, a rehearsal image, an uploaded object, or a completed upload without an object has.
    func referencedHashes() throws -> Set<String>
    /// How many bytes the file with that hash has, as a validation or a rehearsal image says; nil if none does.
    func recordedSize(sha256: String) throws -> UInt64?
    /// Whether the hash is one of `referencedHashes`.
    func isReferenced(sha256: String) throws -> Bool
    /// Whether a version of the object's project was made from it: from its URI, with its bytes.
    func hasVersion(of object: UploadedObject) throws -> Bool
    func uploadSession(id: String) throws -> UploadSession?
    /// All of the server, oldest first.
    func uploadSessions() throws -> [UploadSession]

    /// That version of a project's template, or the active one without a number; nil if there is none.
    func template(project: String, namespace: String, number: Int64?) throws -> TemplateVersion?
    /// At most `limit` versions, newest first, with numbers below `before` and creation times (in microseconds) in
    /// `times`. Their bodies, which may be large, are left empty.
    func templateHistory(
        project: String, namespace: String, before: Int64?, madeIn times: Range<Int64>, limit: Int
    ) throws -> [TemplateVersion]
    /// The number of the active template of every project that has one in that namespace, by project.
    func activeTemplateNumbers(namespace: String) throws -> [String: Int64]

    func experiment(_ name: String, project: String) throws -> ExperimentRecord?
    /// Newest first.
    func experiments(project: String) throws -> [ExperimentRecord]
    /// The running experiments of the server, in order of project and name.
    func runningExperiments() throws -> [ExperimentRecord]
    /// The units with their counts, without pinned installations, in order of installation: at most `limit`, after the
    /// first `skipping` ones.
    func units(experiment: String, project: String, skipping: Int, limit: Int) throws -> [ExperimentUnit]
    /// The variant that the installation was exposed to, without its counts; nil if it was not exposed.
    func unitVariant(_ installation: String, experiment: String, project: String) throws -> Int?
    /// The number of installations with each variant, by the variant's index, without pinned installations.
    func unitCounts(experiment: String, project: String) throws -> [Int: Int]
    /// In order of variant and metric, without those that have no counts, and without pinned installations.
    func variantTotals(experiment: String, project: String) throws -> [VariantTotal]
    /// The history of an experiment, oldest first.
    func points(experiment: String, project: String) throws -> [ExperimentPoint]
    /// The times of its points, oldest first.
    func pointTimes(experiment: String, project: String) throws -> [Int64]
    func journal(_ name: String, installation: String, project: String) throws -> EventJournal?
    /// Newest day first, then by name and model, at most `limit`.
    func eventDays(project: String, limit: Int) throws -> [EventDay]
    /// The number of different events on that day so far.
    func eventDayCount(project: String, day: Int64) throws -> Int

    /// What devices reported about the versions of a model since that minute, in whole periods; `AdoptionSample.other`
    /// is for bytes that no version has.
    func health(model: Int64, sinceMinute: Int64) throws -> [Int: HealthCounts]
    /// Whether `MetadataWriter.foldHealth` has something to do.
    func hasHealthToFold(nowMicroseconds: Int64) throws -> Bool

    /// How many installations have which version of a model, by system and by version of the app: the `most` most
    /// frequent ones.
    func adoption(model: Int64, today: Int64, most: Int) throws -> AdoptionTally
    /// How many installations have which version of a model. Without systems and versions of the app, it takes a third
    /// of the time.
    func adoptionVersions(model: Int64, today: Int64) throws -> [Int: AdoptionCounts]
    /// The models with the most rows of `adoptionRows`, at most `limit`.
    func adoptionModels(limit: Int) throws -> [AdoptionModel]
    /// The samples of a model, in order of installation: at most `limit` after `after`.
    func adoptionRows(model: Int64, after: Int64, limit: Int) throws -> [AdoptionRow]
    /// The shift of each version's sample: all installations up to `AdoptionSample.highest` are in it.
    func adoptionShifts(model: Int64) throws -> [Int: Int]
    /// A model of which `MetadataWriter.cleanAdoption` has removed nothing today; nil if there is none.
    func adoptionModelToClean(today: Int64) throws -> Int64?
    /// The pins of a project, or of all projects without one, newest first.
    func pins(project: String?) throws -> [Pin]

    /// Newest first, as far as they are kept.
    func recentCalls(project: String, model: String) throws -> [RecentCall]
    func recentCall(_ installation: String, project: String, model: String) throws -> RecentCall?

    func consoleSession(id: String) throws -> ConsoleSession?
    /// All of the server, newest first.
    func consoleSessions() throws -> [ConsoleSession]
    func consoleValue(_ name: String, session: String) throws -> ConsoleValue?
    func signInCode(secretHash: String) throws -> SignInCode?
    func sharedLink(id: String) throws -> SharedLink?
    /// Newest first.
    func sharedLinks(project: String) throws -> [SharedLink]
    /// Those of all projects that this account or token made, newest first.
    func sharedLinks(madeBy actor: String) throws -> [SharedLink]
    func counts(project: String) throws -> ProjectCounts
    /// All models of the project, in order of id.
    func modelNames(project: String) throws -> [SearchableModel]
    /// All experiments of the project, in order of name.
    func experimentNames(project: String) throws -> [String]
    /// The running experiments, then those that ended at or after that moment, the latest end first.
    func experiments(project: String, endedSinceMicroseconds: Int64) throws -> [ExperimentRecord]
    /// The releases that people or guards ended at or after that moment, the latest first. A rollback also ends
    /// the older release of the version that it restores; that one is left out.
    func endedReleases(project: String, sinceMicroseconds: Int64, limit: Int) throws -> [EndedRelease]
    /// The models' newest versions that are malformed, or that crashed the engine here and are not released to all: the
    /// latest first, with what the validation says.
    func failedVersions(project: String, limit: Int) throws -> [(version: HeldVersion, reason: String)]
    /// The models' newest versions, the latest first, of models that require a rehearsal: those that were rehearsed, and
    /// are not released to all.
    func gatedVersions(project: String, limit: Int) throws -> [GatedVersion]
    /// The project's files that wait for their validation, in the order of their requests. One with several versions
    /// comes several times.
    func pendingFiles(project: String) throws -> [PendingFile]

    /// What was seen of the devices of guarded releases.
    func rolloutWatches() throws -> [RolloutWatchRecord]
    /// The ids of the pieces that the watches do not contain yet, in ascending order.
    func rolloutSightingIDs() throws -> [Int64]
    func rolloutSightings(id: Int64) throws -> RolloutSightings?

    /// Newest first, with ids below `before`. A nil project means all projects.
    func audit(
        project: String?, matching filter: AuditFilter, before: Int64?, limit: Int
    ) throws -> [AuditEntry]
}

extension MetadataReader {
    /// Newest first, with ids below `before`. A nil project means all projects.
    package func audit(project: String?, before: Int64?, limit: Int) throws -> [AuditEntry] {
        try audit(project: project, matching: AuditFilter(), before: before, limit: limit)
    }
}

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

extension MetadataReader {
    /// A version and what is known about its bytes; nil without a number, and if there is no such version.
    package func known(_ number: Int?, of model: Model) throws -> ModelLifecycle.KnownVersion? {
        guard let number, let version = try version(number, model: model.id),
            let validation = try validation(sha256: version.sha256)
        else { return nil }
        return ModelLifecycle.KnownVersion(version: version, validation: validation)
    }

    /// All that the rules of a model's life need, as of that moment.
    package func state(of model: Model, nowMicroseconds: Int64) throws -> ModelLifecycle.State {
        let releases = try releases(model: model.id)
        let lastReleased = ReleaseLifecycle.lastReleasedVersion(releases, nowMicroseconds: nowMicroseconds)
        return ModelLifecycle.State(
            model: model, newest: try known(model.newestVersion, of: model),
            lastReleased: try known(lastReleased, of: model), releases: releases,
            rehearsals: model.rehearsalGate == nil ? nil : try rehearsalFacts(of: model))
    }

    private func rehearsalFacts(of model: Model) throws -> RehearsalRule.Facts {
        let images = try rehearsalImages(model: model.id)
        return RehearsalRule.Facts(
            imageSet: RehearsalImageSet.digest(of: images), imageCount: images.count,
            records: try rehearsals(model: model.id))
    }
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

/// Sizes as databases store them: as signed 64-bit integers.
package enum StoredSize {
    /// - Throws: `.tooLarge` if the size does not fit.
    package static func integer(_ bytes: UInt64) throws(StorageError) -> Int64 {
        guard let size = Int64(exactly: bytes) else {
            throw StorageError(.tooLarge, "A size of \(bytes) bytes cannot be stored")
        }
        return size
    }
}

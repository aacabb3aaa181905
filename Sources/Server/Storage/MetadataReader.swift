package import HearthCatalog

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

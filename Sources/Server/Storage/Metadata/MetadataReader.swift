public import HearthCatalog

/// Look-ups inside one consistent state. Valid only during the closure it was lent to.
public protocol MetadataReader {
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
    func clockMark() throws -> ClockMark?

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
    public func audit(project: String?, before: Int64?, limit: Int) throws -> [AuditEntry] {
        try audit(project: project, matching: AuditFilter(), before: before, limit: limit)
    }
}

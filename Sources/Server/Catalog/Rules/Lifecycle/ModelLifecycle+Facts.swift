public import HearthWire

/// What the rules are told, and what they answer with.
extension ModelLifecycle {
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

        /// What the probe found; nil where there is none.
        public var contract: ModelContract? {
            validation.contractJSON.flatMap { try? WireJSON.decode(ModelContract.self, from: $0.utf8) }
        }
    }

    /// A model as it is before a change.
    public struct State: Sendable {
        public var model: Model
        public var newest: KnownVersion?
        /// The version of `ReleaseLifecycle.lastReleasedVersion`; contracts are compared with it.
        public var lastReleased: KnownVersion?
        /// All releases, newest first, ended ones too.
        public var releases: [Release]

        public init(model: Model, newest: KnownVersion?, lastReleased: KnownVersion?, releases: [Release]) {
            self.model = model
            self.newest = newest
            self.lastReleased = lastReleased
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
        /// The release that is what the call asked for already.
        public var restatedRelease: Int?
        /// Whether all was so already. What is written nevertheless takes note of what a schedule has brought about.
        public var isUnchanged = false
        /// What the caller should know, one line each.
        public var warnings: [String] = []
        /// Why the new file is not released although it was to be. All the rest is to be written nevertheless: the
        /// version is there, devices keep what they have, and the caller is answered with this error.
        public var refusal: CatalogError?
        public var audit: [AuditEntry] = []

        init(model: Model) { self.model = model }
    }

    /// What a caller wants changed; nil leaves a field as it is.
    public struct Edit: Sendable {
        public var displayName: String?
        public var tags: [String]?
        /// True releases the newest version to all, which ends a rollout of it; false ends all releases.
        public var published: Bool?
        /// The file to take, when the caller named one, and what is known about its bytes.
        public var upload: (object: UploadedObject, validation: Validation)?
        public var contractCheck: Model.ContractCheck?
        /// Releases a version whose contract differs although the model refuses that. It counts for this call only: a
        /// version that still waits for its verdict is held against the model's rule again when the verdict comes.
        public var allowContractChange: Bool
        /// Releases a version that crashed the engine in the server's run. It counts for this call only.
        public var allowCrashing: Bool
        /// Whether a new file on a published model is released at once, as management calls expect. When not, it
        /// becomes a version and no more.
        public var releasesNewFile: Bool
        /// The call sends the whole model back (a PATCH without a mask). Then `published: true` on a published model
        /// says what is so already, and neither undoes a rollback nor cuts a rollout short.
        public var restatesPublished: Bool
        /// The hash in a model that is sent back: of the newest version that its sender has seen.
        public var seenSHA256: String?

        public init(
            displayName: String? = nil, tags: [String]? = nil, published: Bool? = nil,
            upload: (object: UploadedObject, validation: Validation)? = nil,
            contractCheck: Model.ContractCheck? = nil, allowContractChange: Bool = false,
            allowCrashing: Bool = false, releasesNewFile: Bool = true, restatesPublished: Bool = false,
            seenSHA256: String? = nil
        ) {
            self.displayName = displayName
            self.tags = tags
            self.published = published
            self.upload = upload
            self.contractCheck = contractCheck
            self.allowContractChange = allowContractChange
            self.allowCrashing = allowCrashing
            self.releasesNewFile = releasesNewFile
            self.restatesPublished = restatesPublished
            self.seenSHA256 = seenSHA256
        }
    }
}

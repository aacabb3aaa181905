package import HearthHTTP
package import HearthIdentity
package import HearthStorage
package import HearthValidation
package import HearthWire

/// Everything the routes work with.
package struct Services: Sendable {
    package var metadata: any MetadataStore
    package var blobs: any BlobStore
    /// Has uploads checked; whoever runs the service starts and stops it.
    package var validation: ValidationQueue
    package var accessTokens: AccessTokens
    package var installationTokens: InstallationTokens
    package var links: LinkSigner
    package var limits: ServiceLimits
    /// The address that devices reach the server under; nil to believe the Host header of programs on this machine.
    package var publicURL: String?
    /// The address that the server itself knows, for links when there is neither.
    package var localURL: @Sendable () -> String
    package var now: @Sendable () -> Timestamp
    /// Which moment counts for what ends and expires; `now` alone where nothing better was given.
    package var clock: ServerClock
    /// Runs what comes back regularly.
    package var scheduler: any WorkScheduler = DispatchScheduler(label: "app.hearth.updates")
    /// Why no requests should be sent here at the moment, beside a database that does not answer; none when all is well.
    package var readinessProblems: @Sendable () -> [String] = { [] }
    /// What whoever looks after the server should know though it is ready, one line each.
    package var notes: [String] = []
    /// Who may read the metrics, beside programs on this machine.
    package var metricsReaders = AddressRanges()
    /// The name of the header field in which a trusted proxy tells the client's country (ISO 3166); nil for none.
    package var countryHeader: String?
    /// Which web pages may call the routes of devices.
    package var allowedOrigins = AllowedOrigins.any
    /// The path prefix under which a proxy in front sends the blobs itself (`X-Accel-Redirect`); nil to send them here.
    package var accelRedirectPrefix: String?

    package init(
        metadata: any MetadataStore, blobs: any BlobStore, validation: ValidationQueue, secret: ServerSecret,
        limits: ServiceLimits = ServiceLimits(), publicURL: String?, localURL: @escaping @Sendable () -> String,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.metadata = metadata
        self.blobs = blobs
        self.validation = validation
        accessTokens = AccessTokens(secret: secret)
        installationTokens = InstallationTokens(secret: secret)
        links = LinkSigner(secret: secret)
        self.limits = limits
        self.publicURL = publicURL
        self.localURL = localURL
        self.now = now
        clock = ServerClock(wallMicroseconds: { now().microseconds })
    }
}

/// What one request may ask of the service.
package struct ServiceLimits: Sendable, Hashable {
    /// The largest model file.
    package var uploadBytes: UInt64 = 1 << 30
    /// How much of the disk uploads leave free; 0 to let them fill it.
    package var diskReserveMebibytes: UInt64 = 256
    /// How long a resumable upload is kept after its last bytes came.
    package var uploadSessionDays = 7
    /// Resumable uploads that one project may have under way.
    package var uploadSessionsPerProject = 100
    /// The largest JSON that describes a file to Google's storage interface.
    package var uploadMetadataBytes = 1 << 16
    /// The largest JSON or form body, also after decompression.
    package var requestBodyBytes = 1 << 20
    /// How long a link to bytes is good for.
    package var linkSeconds: Int64 = 3600
    /// Models on one page of a list.
    package var pageSize = 100
    /// How long a call waits for the check of a file before it answers with an operation that goes on.
    package var validationWaitSeconds = 25.0
    /// Calls of one project that take long, have a body and wait for their turn: changes of templates, conditions and experiments.
    package var waitingChangesPerProject = 32
    /// Reading calls of one project that take long and wait for their turn: templates, experiments, lists, exports.
    package var waitingReadsPerProject = 500
    /// Devices' fetches of one project that take long and wait for their turn.
    package var waitingFetchesPerProject = 500
    /// How often callers may ask.
    package var rates = RateLimits()
    /// Devices that may wait at once for news of their configuration.
    package var updateStreams = UpdateStreamLimits()
    /// How long an uploaded file is kept that no version uses.
    package var unusedUploadDays = 30

    package init() {}
}

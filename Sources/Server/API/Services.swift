public import HearthHTTP
public import HearthIdentity
public import HearthStorage
public import HearthValidation
public import HearthWire

/// Everything the routes work with.
public struct Services: Sendable {
    public var metadata: any MetadataStore
    public var blobs: any BlobStore
    /// Has uploads checked; whoever runs the service starts and stops it.
    public var validation: ValidationQueue
    public var accessTokens: AccessTokens
    public var installationTokens: InstallationTokens
    public var links: LinkSigner
    public var limits: ServiceLimits
    /// The address that devices reach the server under; nil to believe the Host header of programs on this machine.
    public var publicURL: String?
    /// The address that the server itself knows, for links when there is neither.
    public var localURL: @Sendable () -> String
    public var now: @Sendable () -> Timestamp
    /// Which moment counts for what ends and expires; `now` alone where nothing better was given.
    public var clock: ServerClock
    /// Runs what comes back regularly.
    public var scheduler: any WorkScheduler = DispatchScheduler(label: "app.hearth.updates")
    /// Why no requests should be sent here at the moment, beside a database that does not answer; none when all is well.
    public var readinessProblems: @Sendable () -> [String] = { [] }
    /// What whoever looks after the server should know though it is ready, one line each.
    public var notes: [String] = []
    /// Who may read the metrics, beside programs on this machine.
    public var metricsReaders = AddressRanges()
    /// The name of the header field in which a trusted proxy tells the client's country (ISO 3166); nil for none.
    public var countryHeader: String?
    /// Which web pages may call the routes of devices.
    public var allowedOrigins = AllowedOrigins.any
    /// The path prefix under which a proxy in front sends the blobs itself (`X-Accel-Redirect`); nil to send them here.
    public var accelRedirectPrefix: String?

    public init(
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
public struct ServiceLimits: Sendable, Hashable {
    /// The largest model file.
    public var uploadBytes: UInt64 = 1 << 30
    /// How much of the disk uploads leave free; 0 to let them fill it.
    public var diskReserveMebibytes: UInt64 = 256
    /// How long a resumable upload is kept after its last bytes came.
    public var uploadSessionDays = 7
    /// Resumable uploads that one project may have under way.
    public var uploadSessionsPerProject = 100
    /// The largest JSON that describes a file to Google's storage interface.
    public var uploadMetadataBytes = 1 << 16
    /// The largest JSON or form body, also after decompression.
    public var requestBodyBytes = 1 << 20
    /// How long a link to bytes is good for.
    public var linkSeconds: Int64 = 3600
    /// Models on one page of a list.
    public var pageSize = 100
    /// How long a call waits for the check of a file before it answers with an operation that goes on.
    public var validationWaitSeconds = 25.0
    /// Calls of one project that take long, have a body and wait for their turn: changes of templates, conditions and experiments.
    public var waitingChangesPerProject = 32
    /// Reading calls of one project that take long and wait for their turn: templates, experiments, lists, exports.
    public var waitingReadsPerProject = 500
    /// Devices' fetches of one project that take long and wait for their turn.
    public var waitingFetchesPerProject = 500
    /// How often callers may ask.
    public var rates = RateLimits()
    /// Devices that may wait at once for news of their configuration.
    public var updateStreams = UpdateStreamLimits()
    /// How long an uploaded file is kept that no version uses.
    public var unusedUploadDays = 30

    public init() {}
}

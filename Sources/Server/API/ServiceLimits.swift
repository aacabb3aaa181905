public import HearthIdentity

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

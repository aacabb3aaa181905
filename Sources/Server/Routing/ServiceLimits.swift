package import HearthIdentity

/// Limits of the service.
package struct ServiceLimits: Sendable, Hashable {
    /// The largest model file.
    package var uploadBytes: UInt64 = 1 << 30
    /// The free space that uploads leave, in MiB; 0 to let them fill the disk.
    package var diskReserveMebibytes: UInt64 = 256
    /// How long a resumable upload is kept after its last bytes arrived.
    package var uploadSessionDays = 7
    /// The most unfinished resumable uploads of one project.
    package var uploadSessionsPerProject = 100
    /// The largest JSON that describes a file in Google's storage API.
    package var uploadMetadataBytes = 1 << 16
    /// The largest JSON or form body, also after decompression.
    package var requestBodyBytes = 1 << 20
    /// How long a signed link to a file is valid.
    package var linkSeconds: Int64 = 3600
    /// The most models on one page of a list.
    package var pageSize = 100
    /// How long a call waits for the validation of a file before it answers with an unfinished operation.
    package var validationWaitSeconds = 25.0
    /// The most slow calls of one project that wait with their bodies: changes of templates, conditions and
    /// experiments.
    package var waitingChangesPerProject = 32
    /// The most slow reading calls of one project that wait: templates, experiments, lists, exports.
    package var waitingReadsPerProject = 500
    /// The most slow fetches of one project's devices that wait.
    package var waitingFetchesPerProject = 500
    /// How often callers may call.
    package var rates = RateLimits()
    /// How many devices may wait for template updates at once.
    package var updateStreams = UpdateStreamLimits()
    /// The most guarded releases that are watched at once; each may need 14 MB.
    package var watchedReleases = 64
    /// How often the server looks at guarded releases, and tells other servers what it has seen.
    package var rolloutCheckSeconds = 10.0
    /// How often the server analyses the running experiments.
    package var experimentCheckSeconds = 60.0
    /// How long an uploaded file is kept that no version uses.
    package var unusedUploadDays = 30
    /// How long devices are answered from memory while a database elsewhere is away.
    package var staleServingHours: Int64 = 24

    package init() {}
}

import Glibc
package import HearthCatalog
import HearthConcurrency
import HearthCrypto
package import HearthStorage
package import HearthWire
package import HearthWork

/// Runs rehearsals, one at a time, and stores their results. Projects take turns. Safe to call from any thread.
///
/// What waits and runs is only in memory: after a restart of the server, it must be requested again.
package final class RehearsalQueue: Sendable {
    /// A requested rehearsal.
    package struct Request: Sendable {
        package let model: Model
        package let candidate: ModelVersion
        /// The version to compare with; nil for none.
        package let baseline: ModelVersion?
        package let images: [RehearsalImage]
        package let actor: String

        package init(
            model: Model, candidate: ModelVersion, baseline: ModelVersion?, images: [RehearsalImage], actor: String
        ) {
            self.model = model
            self.candidate = candidate
            self.baseline = baseline
            self.images = images
            self.actor = actor
        }

        /// The id of the rehearsal: equal for equal files and images of a model.
        package var id: String {
            RehearsalQueue.id(
                model: model.id, candidate: candidate.sha256, baseline: baseline?.sha256 ?? "",
                imageSet: RehearsalImageSet.digest(of: images))
        }

        var runs: Int { images.count * (baseline == nil ? 1 : 2) }
    }

    /// A rehearsal that has no stored result.
    package struct Progress: Sendable {
        package let request: Request
        package let requestedMicroseconds: Int64
        package fileprivate(set) var isRunning = false
        package fileprivate(set) var finishedRuns = 0
        package var runs: Int { request.runs }
        /// Why it failed; nil while it runs.
        package fileprivate(set) var failure: String?
    }

    private struct State {
        var line = FairQueue<String>(places: 1)
        var jobs: [String: Progress] = [:]
        var isOpen = true
        var whenIdle: [@Sendable () -> Void] = []
    }

    package let limits: RehearsalLimits
    private let metadata: any MetadataStore
    private let blobs: any BlobStore
    private let runner: ImageRunner?
    private let scheduler: any WorkScheduler
    private let now: @Sendable () -> Timestamp
    private let log: @Sendable (String) -> Void
    private let state = Lock(State())

    /// The most failed rehearsals that are remembered.
    private static let keptFailures = 100

    /// - Parameter executable: the program of the probe; nil if this server runs no rehearsals.
    package init(
        metadata: any MetadataStore, blobs: any BlobStore, executable: String?,
        limits: RehearsalLimits = RehearsalLimits(), scheduler: any WorkScheduler,
        now: @escaping @Sendable () -> Timestamp, log: @escaping @Sendable (String) -> Void
    ) {
        self.metadata = metadata
        self.blobs = blobs
        self.limits = limits
        runner = executable.map { ImageRunner(executable: $0, limits: limits) }
        self.scheduler = scheduler
        self.now = now
        self.log = log
    }

    package static func id(model: Int64, candidate: String, baseline: String, imageSet: String) -> String {
        String(SHA256Hasher.hash("\(model) \(candidate) \(baseline) \(imageSet)".utf8).hex.prefix(24))
    }

    /// Queues a rehearsal, unless the same one waits or runs already.
    ///
    /// - Throws: `failedPrecondition` if too many of the project wait, or the server is stopping.
    package func add(_ request: Request) throws(CatalogError) -> Progress {
        let id = request.id
        let progress = Progress(request: request, requestedMicroseconds: now().microseconds)
        let result = state.withLock { state -> Result<Progress, CatalogError> in
            if let known = state.jobs[id], known.failure == nil { return .success(known) }
            let project = request.model.projectID
            let open = state.jobs.values.count { $0.failure == nil && $0.request.model.projectID == project }
            guard state.isOpen, open < limits.waitingPerProject, state.line.add(id, of: project) else {
                return .failure(
                    CatalogError(
                        .failedPrecondition,
                        "This project has \(open) rehearsals that run or wait, and \(limits.waitingPerProject) is the most; "
                            + "try again when one of them is done."))
            }
            state.jobs[id] = progress
            return .success(progress)
        }
        startNext()
        return try result.get()
    }

    /// Whether this server can run rehearsals.
    package var isAvailable: Bool { runner != nil }

    /// How many rehearsals of the project run or wait.
    package func openCount(project: String) -> Int {
        state.withLock { $0.jobs.values.count { $0.failure == nil && $0.request.model.projectID == project } }
    }

    /// A rehearsal without a stored result: one that waits, runs or failed since the server's start.
    package func progress(_ id: String) -> Progress? { state.withLock { $0.jobs[id] } }

    /// All that wait, run or failed.
    package var open: [Progress] { state.withLock { Array($0.jobs.values) } }

    /// Ends what runs. `completion` is called when nothing runs any more; at once if nothing does.
    package func stop(_ completion: @escaping @Sendable () -> Void) {
        let isIdle = state.withLock { state in
            state.isOpen = false
            state.line.removeAll()
            if !state.line.isIdle { state.whenIdle.append(completion) }
            return state.line.isIdle
        }
        if isIdle { completion() }
    }

    private func startNext() {
        while let turn = state.withLock({ $0.isOpen ? $0.line.next() : nil }) {
            scheduler.run { [self] in run(turn.item, of: turn.project) }
        }
    }

    private func run(_ id: String, of project: String) {
        state.withLock { $0.jobs[id]?.isRunning = true }
        if let request = progress(id)?.request {
            do {
                try rehearse(request, id)
                state.withLock { $0.jobs[id] = nil }
            } catch {
                let text = (error as? ProbeFailure)?.message ?? "The server failed to do this; its log says why."
                log("rehearsal \(id) of models/\(request.model.id): \(error)")
                state.withLock { state in
                    state.jobs[id]?.isRunning = false
                    state.jobs[id]?.failure = text
                    let failed = state.jobs.filter { $0.value.failure != nil }
                    guard failed.count > Self.keptFailures else { return }
                    let oldest = failed.min { $0.value.requestedMicroseconds < $1.value.requestedMicroseconds }
                    if let oldest { state.jobs[oldest.key] = nil }
                }
            }
        }
        let idle = state.withLock { state -> [@Sendable () -> Void] in
            state.line.finish(project)
            guard !state.isOpen, state.line.isIdle else { return [] }
            defer { state.whenIdle = [] }
            return state.whenIdle
        }
        for callback in idle { callback() }
        startNext()
    }

    private func rehearse(_ request: Request, _ id: String) throws {
        let candidate = try reports(on: request.candidate, request, id)
        let baseline = try request.baseline.map { try reports(on: $0, request, id) }
        let result = RehearsalComparison.compare(
            request.images.indices.map { index in
                RehearsalComparison.Input(
                    name: request.images[index].name, label: request.images[index].label, candidate: candidate[index],
                    baseline: baseline?[index])
            })
        let record = RehearsalRecord(
            modelID: request.model.id, candidateSHA256: request.candidate.sha256,
            baselineSHA256: request.baseline?.sha256 ?? "", imageSet: RehearsalImageSet.digest(of: request.images),
            candidateVersion: request.candidate.number, baselineVersion: request.baseline?.number,
            summaryJSON: String(decoding: try WireJSON.encode(result.summary), as: UTF8.self),
            imagesJSON: String(decoding: try WireJSON.encode(result.images), as: UTF8.self),
            createdMicroseconds: now().microseconds, createdBy: request.actor)
        try metadata.write { store in
            guard try store.model(id: request.model.id, project: request.model.projectID) != nil else {
                throw ProbeFailure("The model was deleted.")
            }
            try store.put(record, keeping: limits.keptResults)
            let against = request.baseline.map { " against version \($0.number)" } ?? ""
            try store.append(
                AuditEntry(
                    projectID: request.model.projectID, actor: request.actor, action: "rehearsal.finish",
                    subject: "models/\(request.model.id)",
                    detail: "version \(request.candidate.number)\(against), \(request.images.count) images",
                    atMicroseconds: record.createdMicroseconds))
        }
    }

    private func reports(
        on version: ModelVersion, _ request: Request, _ id: String
    ) throws -> [ImageProbeReport.Image] {
        guard let runner else { throw ProbeFailure("This server runs no rehearsals.") }
        guard let digest = SHA256Digest(hex: version.sha256), let model = try? blobs.open(digest) else {
            throw ProbeFailure("The file of version \(version.number) is not on the server's disk; upload it again.")
        }
        defer { close(model.descriptor) }
        do {
            return try runner.run(
                model: model.descriptor,
                on: ImageRunner.Source(
                    count: request.images.count, bytes: { self.bytes(of: request.images[$0]) },
                    finished: { _, _ in self.state.withLock { $0.jobs[id]?.finishedRuns += 1 } },
                    isCancelled: { !self.state.withLock { $0.isOpen } }))
        } catch let error as ProbeFailure {
            throw ProbeFailure("Version \(version.number) cannot be rehearsed: \(error.message)")
        }
    }

    /// The bytes as they were added; nil if the disk does not have them.
    private func bytes(of image: RehearsalImage) -> [UInt8]? {
        guard let digest = SHA256Digest(hex: image.sha256), let blob = try? blobs.open(digest) else { return nil }
        defer { close(blob.descriptor) }
        guard blob.size == image.sizeBytes, blob.size <= UInt64(limits.imageBytes) else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(blob.size))
        var filled = 0
        while filled < bytes.count {
            let count = bytes.withUnsafeMutableBytes {
                pread(blob.descriptor, $0.baseAddress! + filled, $0.count - filled, off_t(filled))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            filled += count
        }
        return SHA256Hasher.hash(bytes) == digest ? bytes : nil
    }
}

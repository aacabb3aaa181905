import Dispatch
import HearthConcurrency

/// Runs one download per model at a time, each on its own thread, and calls back every caller that waits for it.
///
/// Use it from any thread. Only `cancelDownload(of:)` blocks.
final class DownloadCoordinator: Sendable {
    /// Downloads a model on the calling thread. Reports completed and total bytes.
    typealias Download =
        @Sendable (DownloadJob, _ progress: @escaping ByteProgress) -> Result<CustomModel, DownloadFailure>

    private struct State {
        var table = PendingDownloads<DownloadCaller>()
        /// The jobs whose threads have not ended, including the abandoned ones.
        var jobs: [Int: DownloadJob] = [:]
        /// Why no download may begin any more; nil while downloads may begin.
        var closingFailure: DownloadFailure?
    }

    private let state = Lock(State())
    private let download: Download
    private let onEvent: @Sendable (DownloadJob, DownloadEvent) -> Void
    // Serial, so that no caller gets progress after its result.
    private let callbackQueue = DispatchQueue(label: "app.hearth.delivery.calls")

    init(download: @escaping Download, onEvent: @escaping @Sendable (DownloadJob, DownloadEvent) -> Void) {
        self.download = download
        self.onEvent = onEvent
    }

    /// Joins the download of `name`, or starts one. Cancelling the result calls this caller back with `cancelled`, and
    /// ends the download if it was the last caller.
    func join(_ name: String, _ conditions: DownloadConditions, _ caller: DownloadCaller) -> Cancellation {
        do throws(DownloadFailure) {
            let (place, job) = try state.withLock { state throws(DownloadFailure) in
                if let refusal = state.closingFailure { throw refusal }
                let place = state.table.join(name, conditions, caller)
                return (place, Self.job(place.newDownload, name, conditions, &state))
            }
            if let job { start(job) }
            return Cancellation { [weak self] in self?.leave(place) }
        } catch {
            return fail(caller, error)
        }
    }

    /// Calls a caller back with a failure, without a download.
    func fail(_ caller: DownloadCaller, _ failure: DownloadFailure) -> Cancellation {
        answer([caller], .failure(failure))
        return Cancellation()
    }

    /// Calls every caller that waits for `name` back with `cancelled`, and blocks until no thread writes the model's
    /// files any more.
    func cancelDownload(of name: String) {
        let (callers, jobs) = state.withLock { state in
            (state.table.remove(name), state.jobs.values.filter { $0.name == name })
        }
        for job in jobs { abandon(job) }
        answer(callers, .failure(.cancelled(name)))
        for job in jobs { job.waitUntilEnded() }
    }

    /// Ends every download. Present and later callers get `failure`.
    func close(_ failure: DownloadFailure) {
        let (callers, jobs) = state.withLock { state in
            state.closingFailure = failure
            return (state.table.remove(), Array(state.jobs.values))
        }
        for job in jobs { abandon(job) }
        answer(callers, .failure(failure))
    }

    /// Registers the job of a new download; nil when none is to start.
    private static func job(
        _ id: Int?, _ name: String, _ conditions: DownloadConditions, _ state: inout State
    ) -> DownloadJob? {
        guard let id else { return nil }
        let job = DownloadJob(id: id, name: name, conditions: conditions)
        state.jobs[id] = job
        return job
    }

    private func leave(_ place: PendingDownloads<DownloadCaller>.Registration) {
        let left = state.withLock { state in
            state.table.leave(place).map { (caller: $0.caller, job: $0.abandoned.flatMap { state.jobs[$0] }) }
        }
        guard let left else { return }
        if let job = left.job { abandon(job) }
        answer([left.caller], .failure(.cancelled(place.name)))
    }

    private func abandon(_ job: DownloadJob) {
        job.cancel()
        onEvent(job, .abandoned)
    }

    private func start(_ job: DownloadJob) {
        // A separate serial queue gets a thread immediately; a concurrent queue has only as many threads as the
        // processor has cores.
        DispatchQueue(label: "app.hearth.delivery.transfer").async { self.run(job) }
    }

    private func run(_ job: DownloadJob) {
        let result: Result<CustomModel, DownloadFailure>
        if job.isCancelled {
            result = .failure(.cancelled(job.name))
        } else {
            onEvent(job, .started)
            result = download(job) { [weak self] in self?.progress(of: job, completed: $0, total: $1) }
        }
        onEvent(job, .ended(result))
        finish(job, result)
    }

    private func finish(_ job: DownloadJob, _ result: Result<CustomModel, DownloadFailure>) {
        var conditionsHeld = true
        if case .failure(let failure) = result { conditionsHeld = failure.code != .conditionsNotMet }
        job.markEnded()
        // After the progress calls that are in the queue.
        callbackQueue.async { [conditionsHeld] in
            let (callers, next) = self.state.withLock { state in
                state.jobs[job.id] = nil
                let (answered, next) = state.table.finish(job.id, job.name, conditionsHeld: conditionsHeld)
                return (answered, next.flatMap { Self.job($0.id, job.name, $0.conditions, &state) })
            }
            for caller in callers { caller.completion(result) }
            if let next { self.start(next) }
        }
    }

    private func progress(of job: DownloadJob, completed: UInt64, total: UInt64) {
        guard let fraction = job.steps.withLock({ $0.step(completed: completed, total: total) }) else { return }
        onEvent(job, .received(fraction: fraction))
        callbackQueue.async {
            // A caller that has left in the meantime gets no more calls.
            let callers = self.state.withLock { $0.table.callers(of: job.id, job.name) }
            for caller in callers { caller.progress?(completed, total) }
        }
    }

    private func answer(_ callers: [DownloadCaller], _ result: Result<CustomModel, DownloadFailure>) {
        callbackQueue.async {
            for caller in callers { caller.completion(result) }
        }
    }
}

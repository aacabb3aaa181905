import Dispatch
import HearthConcurrency

/// Runs one transfer per model at a time, each on a thread of its own, and answers everybody who waits for it.
///
/// Use it from any thread. No call blocks but `cancelDownload(of:)`.
final class DownloadCoordinator: Sendable {
    /// Fetches a model on the calling thread; tells completed and total bytes.
    typealias Download =
        @Sendable (DownloadJob, _ progress: @escaping ByteProgress) -> Result<CustomModel, DownloadFailure>

    private struct State {
        var table = PendingDownloads<DownloadCaller>()
        /// Those whose thread has not ended, the abandoned ones included.
        var jobs: [Int: DownloadJob] = [:]
        /// Why nothing is fetched any more.
        var closingFailure: DownloadFailure?
    }

    private let state = Lock(State())
    private let download: Download
    private let onEvent: @Sendable (DownloadJob, DownloadEvent) -> Void
    // One call at a time: so no caller gets progress after its result.
    private let callbackQueue = DispatchQueue(label: "app.hearth.delivery.calls")

    init(download: @escaping Download, onEvent: @escaping @Sendable (DownloadJob, DownloadEvent) -> Void) {
        self.download = download
        self.onEvent = onEvent
    }

    /// Joins the transfer of `name`, or starts one. Cancelling the ticket answers this caller with `cancelled`, and ends the
    /// transfer when it was the last one.
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

    /// Answers a caller for whom no transfer is started.
    func fail(_ caller: DownloadCaller, _ failure: DownloadFailure) -> Cancellation {
        answer([caller], .failure(failure))
        return Cancellation()
    }

    /// Answers everybody who waits for `name` with `cancelled`, and blocks until nothing is written for it any more.
    func cancelDownload(of name: String) {
        let (callers, jobs) = state.withLock { state in
            (state.table.remove(name), state.jobs.values.filter { $0.name == name })
        }
        for job in jobs { abandon(job) }
        answer(callers, .failure(.cancelled(name)))
        for job in jobs { job.waitUntilEnded() }
    }

    /// Ends every transfer; who waits, and who comes later, gets `failure`.
    func close(_ failure: DownloadFailure) {
        let (callers, jobs) = state.withLock { state in
            state.closingFailure = failure
            return (state.table.remove(), Array(state.jobs.values))
        }
        for job in jobs { abandon(job) }
        answer(callers, .failure(failure))
    }

    /// Registers the job of a new transfer; nil when there is none to start.
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
        // A serial queue of its own is a thread at once; those of a concurrent queue are as few as the processor's cores.
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
        // After the progress that is still to be told.
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
            // Who left in the meantime is not called any more.
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

import HearthCrashGuard
import HearthEvents
import HearthModelSource
import Synchronization

/// A version of a model whose loads and runs are guarded, and counted if the app allows it.
final class WatchedVersion: ModelObserver {
    private let name: String
    private let hash: String
    fileprivate let reports: ModelReports
    private let guarded: GuardedVersion?

    /// Writes a file when this process uses the version for the first time.
    init(name: String, hash: String, core: DeliveryCore) {
        self.name = name
        self.hash = hash
        reports = core.reports
        guarded = core.guarded(hash)
    }

    func begin(_ step: ModelStep) -> Int64 { guarded?.begin() ?? 0 }

    func ended(_ step: ModelStep, _ token: Int64, _ outcome: ModelOutcome, isReported: Bool) {
        let isSuccess = if case (.run, .success) = (step, outcome) { true } else { false }
        guarded?.end(token, isSuccess: isSuccess)
        guard isReported, reports.isEnabled else { return }
        switch (step, outcome) {
        case (.load, .success(let milliseconds)): count(.loaded(milliseconds: milliseconds))
        case (.load, .failure(let code)): count(.loadFailed(code: code))
        case (.run, .success(let milliseconds)):
            count(.ran(milliseconds: milliseconds))
            reports.recordInference(name, milliseconds: milliseconds)
        case (.run, .failure): count(.runFailed)
        case (_, .nothing): break
        }
    }

    func found(confidence: Double) { reports.recordConfidence(name, confidence: confidence) }

    private func count(_ change: HealthChange) { reports.count(change, name, hash: hash) }
}

/// What watches the version of a `CustomModel`, from the first use of it on, so that a run looks nothing up and takes no
/// lock. The copies of a model share it. Use it from any thread.
final class VersionWatch: Sendable {
    private let known = AtomicLazyReference<WatchedVersion>()

    /// What watches the model's version: one object for all uses by one app; another app's is not kept. If the disk
    /// does not work at the first call, the version is not guarded.
    func version(of model: CustomModel, _ core: DeliveryCore) -> WatchedVersion {
        if let version = known.load(), version.reports === core.reports { return version }
        let version = WatchedVersion(name: model.name, hash: model.hash, core: core)
        let kept = known.storeIfNil(version)
        return kept.reports === core.reports ? kept : version
    }
}

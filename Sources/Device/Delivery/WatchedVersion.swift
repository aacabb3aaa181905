import HearthCrashGuard
import HearthEvents
import HearthModelSource

/// A version of a model whose loads and runs are guarded, and counted if the app allows it.
struct WatchedVersion: ModelObserver {
    private let name: String
    private let hash: String
    private let reports: ModelReports
    private let guarded: GuardedVersion?

    /// Writes a file when this process uses the version for the first time.
    init(name: String, hash: String, core: DeliveryCore) {
        self.name = name
        self.hash = hash
        reports = ModelReports.reports(of: core.app)
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

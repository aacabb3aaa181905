import HearthApp
import HearthModelSource
import Synchronization

/// One load or run of a model by an engine of the app's own. Hearth's addition.
///
/// ```swift
/// let use = downloader.beginUse(of: model, .running)
/// do {
///     try engine.run()
///     use.succeed()
/// } catch {
///     use.fail()
/// }
/// ```
///
/// Begin it on the thread that loads or runs the model, just before. If the process ends during a use, the version may
/// be rejected: see ``ModelDownloader/beginUse(of:_:)``. A use that is released without an end counts neither as a success
/// nor as a failure.
public final class ModelUse: Sendable {
    /// What the app does with the model.
    public enum Step: Sendable {
        /// The engine loads the model.
        case loading
        /// The engine runs the model once.
        case running
    }

    private let version: WatchedVersion
    private let step: ModelStep
    private let token: Int64
    private let start = ContinuousClock.now
    private let isEnded = Atomic(false)

    init(_ version: WatchedVersion, _ step: Step) {
        self.version = version
        self.step = step == .loading ? .load : .run
        token = version.begin(self.step)
    }

    /// The model is loaded, or the run gave a result. Only the first end of a use counts. Call it from any thread.
    public func succeed() { end(.success(milliseconds: (ContinuousClock.now - start) / .milliseconds(1))) }

    /// The model could not be loaded, or the run failed. This does not reject the version: call
    /// ``ModelDownloader/reject(_:reason:)`` for that. Only the first end of a use counts. Call it from any thread.
    ///
    /// - Parameter code: Names the reason of a failed load: 1 to 40 ASCII letters, digits, `_`, `-` or `.`.
    public func fail(code: String = "engine") { end(.failure(code: code)) }

    deinit { end(.nothing) }

    private func end(_ outcome: ModelOutcome) {
        if !isEnded.exchange(true, ordering: .relaxed) { version.ended(step, token, outcome, isReported: true) }
    }
}

extension ModelDownloader {
    /// Begins a load or run of a model by an engine of the app's own. Labelers, detectors and `ModelInterpreter` do this
    /// themselves.
    ///
    /// If the process ends before ``ModelUse/succeed()`` or ``ModelUse/fail(code:)``, a later process may reject the
    /// version, as ``reject(_:reason:)`` does: after two fatal signals on this thread, or, while the version is new on
    /// this device, after three processes in a row that died without a result. This needs no setting. If
    /// `Analytics.setModelReportingEnabled(_:)` is on, loads and runs are also counted for the server.
    ///
    /// The first use of a version in a process writes a small file. Further ones write no file.
    public func beginUse(of model: CustomModel, _ step: ModelUse.Step) -> ModelUse {
        ModelUse(core.watched(model), step)
    }
}

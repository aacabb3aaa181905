import Dispatch
public import HearthApp
import HearthConcurrency
public import HearthModelSource

/// Downloads models from the server, stores them on this device and updates them.
///
/// ```swift
/// ModelDownloader.modelDownloader().getModel(
///     name: "flowers", downloadType: .localModelUpdateInBackground, conditions: ModelDownloadConditions()
/// ) { result in
///     if case .success(let model) = result { print(model.path) }
/// }
/// ```
///
/// Use it from any thread. Completions and progress are called on the app's `callbackQueue`. An installed model works
/// without a connection, and stays installed until a newer version was downloaded, verified and installed.
public final class ModelDownloader: Sendable {
    let core: DeliveryCore

    private init(app: FirebaseApp) { core = DeliveryCore.core(of: app) }

    /// The downloader of the default app. Ends the process when that app is not configured, as the original does.
    public static func modelDownloader() -> ModelDownloader {
        guard let app = FirebaseApp.registered() else { Misuse.stop("Default Firebase app not configured.") }
        return modelDownloader(app: app)
    }

    /// The downloader of an app: the same object for the same app, until the app is deleted. Afterwards, every call
    /// fails.
    public static func modelDownloader(app: FirebaseApp) -> ModelDownloader {
        app.service(ModelDownloader.self) { ModelDownloader(app: app) }
    }

    /// How this app's models are downloaded and stored, through any of the APIs. A change applies from the next
    /// download on.
    public var settings: DeliverySettings {
        get { core.settings }
        set { core.settings = newValue }
    }

    /// Gets a model by its display name.
    ///
    /// Calls for one model at the same time share one download, with the conditions of the first of them.
    ///
    /// - Parameters:
    ///   - progressHandler: Called with 0...1 during a transfer; never when the installed version is used.
    ///   - completion: Called once.
    public func getModel(
        name modelName: String, downloadType: ModelDownloadType, conditions: ModelDownloadConditions,
        progressHandler: ((Float) -> Void)? = nil,
        completion: @escaping (Result<CustomModel, DownloadError>) -> Void
    ) {
        let callback = Callback(completion)
        let app = core.app
        var progress: ByteProgress?
        if let progressHandler {
            let handler = Callback(progressHandler)
            progress = { completed, total in
                let fraction = total == 0 ? 1 : Float(Double(completed) / Double(total))
                handler.call(with: fraction, on: app.serialCallbackQueue)
            }
        }
        core.get(modelName, downloadType, DownloadConditions(conditions), progress: progress) { result in
            callback.call(with: result.mapError(\.error), on: app.serialCallbackQueue)
        }
    }

    /// Every model on this device. Files and records that are not models are left out.
    public func listDownloadedModels(completion: @escaping (Result<Set<CustomModel>, DownloadedModelError>) -> Void) {
        let callback = Callback(completion)
        core.onBlockingQueue { [self] in callback.call(with: list(), on: core.app.serialCallbackQueue) }
    }

    /// Removes a model from this device; `.notFound` when the device does not have it. Callers that wait for its
    /// download get an error. A program that has opened the file can still read it.
    public func deleteDownloadedModel(
        name modelName: String, completion: @escaping (Result<Void, DownloadedModelError>) -> Void
    ) {
        let callback = Callback(completion)
        core.onBlockingQueue { [self] in
            callback.call(with: delete(modelName), on: core.app.serialCallbackQueue)
        }
    }

    func list() -> Result<Set<CustomModel>, DownloadedModelError> {
        do throws(DownloadFailure) {
            return .success(Set(try core.list()))
        } catch {
            return .failure(.internalError(description: error.message))
        }
    }

    func delete(_ name: String) -> Result<Void, DownloadedModelError> {
        do throws(DownloadFailure) {
            return try core.delete(name) ? .success(()) : .failure(.notFound)
        } catch {
            switch error.code {
            case .appDeleted, .invalidArgument: return .failure(.internalError(description: error.message))
            default: return .failure(.fileIOError(description: error.message))
            }
        }
    }
}

/// Which copy of a model a caller wants.
public enum ModelDownloadType: Sendable {
    /// The copy on this device; a download only when the device has none.
    case localModel
    /// The copy on this device immediately, followed by a check for a newer one in the background.
    case localModelUpdateInBackground
    /// The newest version: always asks the server.
    case latestModel
}

/// The calls with completions, for async code. They do not use the callback queue, which need not run.
extension ModelDownloader {
    /// Gets a model by its display name. Throws ``DownloadError``, or `CancellationError` when the task was cancelled;
    /// the download continues while other callers wait for it. `states(ofModel:)` shows the progress.
    ///
    /// This method has no closure parameter: otherwise it would capture calls of the original in async functions, whose
    /// trailing closure is the completion.
    public func getModel(
        name modelName: String, downloadType: ModelDownloadType,
        conditions: ModelDownloadConditions = ModelDownloadConditions()
    ) async throws -> CustomModel {
        try Task.checkCancellation()
        let cancellation = Cancellation()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let part = core.get(modelName, downloadType, DownloadConditions(conditions)) {
                    continuation.resume(returning: $0)
                }
                cancellation.onCancel { part.cancel() }
            }
        } onCancel: {
            cancellation.cancel()
        }
        switch result {
        case .success(let model): return model
        case .failure(let failure):
            if failure.code == .cancelled { try Task.checkCancellation() }
            throw failure.error
        }
    }

    /// Every model on this device. Files and records that are not models are left out.
    public func listDownloadedModels() async throws -> Set<CustomModel> {
        try await withCheckedThrowingContinuation { continuation in
            core.onBlockingQueue { continuation.resume(with: self.list()) }
        }
    }

    /// Removes a model from this device; throws ``DownloadedModelError``, `.notFound` when the device does not have it.
    public func deleteDownloadedModel(name modelName: String) async throws {
        try await withCheckedThrowingContinuation { continuation in
            core.onBlockingQueue { continuation.resume(with: self.delete(modelName)) }
        }
    }
}

/// The state of a model, and updates from time to time. Hearth's additions.
extension ModelDownloader {
    /// The state of a model now, including downloads by other APIs of the app. Blocks while it reads the disk: do not
    /// call it on Swift's cooperative thread pool.
    public func state(ofModel modelName: String) -> ModelState { core.state(of: modelName) }

    /// Calls `change` with the state now, and then at each change, in order, on the app's `callbackQueue`, until the
    /// observation is cancelled or released or the app is deleted. Progress comes in about a hundred steps.
    public func observeState(
        ofModel modelName: String, using change: @escaping (ModelState) -> Void
    ) -> ModelStateObservation {
        let callback = Callback(change)
        return ModelStateObservation(core.observe(modelName, { callback.call(with: $0) }))
    }

    /// The state now and then each change. A slow reader misses states, but never the newest one. The stream ends when
    /// the app is deleted. It needs no callback queue.
    public func states(ofModel modelName: String) -> AsyncStream<ModelState> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let cancellation = core.observe(
                modelName, on: DispatchQueue(label: "app.hearth.delivery.states"), { continuation.yield($0) },
                end: { continuation.finish() })
            continuation.onTermination = { _ in cancellation.cancel() }
        }
    }

    /// Keeps a model up to date. If the device does not have it, downloads it within seconds; otherwise checks for a
    /// newer version after a random part of a tenth of `seconds`. Afterwards it checks about every `seconds`, plus or
    /// minus a tenth, so that devices do not all ask at the same time. A check that fails is repeated after a shorter,
    /// growing backoff; a check that the conditions do not allow is skipped.
    ///
    /// A model that is missing is downloaded, even after the app deleted it: cancel the refresh first.
    ///
    /// - Parameters:
    ///   - seconds: At least 60; less counts as 60.
    ///   - requiringExternalPower: Skips checks while the device is known to run on its battery.
    /// - Returns: The refresh, which ends when it is cancelled or released.
    public func keepUpdated(
        name modelName: String, every seconds: Double, conditions: ModelDownloadConditions = ModelDownloadConditions(),
        requiringExternalPower: Bool = false
    ) -> ModelRefresh {
        let plan = ModelRefresh.Plan(
            name: modelName, conditions: DownloadConditions(conditions), requiresExternalPower: requiringExternalPower)
        return ModelRefresh.start(plan, everySeconds: seconds, core: core)
    }

    /// Rejects a model that does not load on this device, for apps that run models themselves. The version before it is
    /// installed again. The rejected version is not downloaded again; a newer one is. The model's state and the failure
    /// notification contain the reason. Does nothing when `model` is not the installed version. Blocks.
    ///
    /// Labelers, detectors and `ModelInterpreter` reject such a model automatically.
    /// - Parameter reason: A text for the failure in the model's state.
    public func reject(_ model: CustomModel, reason: String) {
        core.reject(path: model.path, of: model.name, reason: reason)
    }
}

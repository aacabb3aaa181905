import Dispatch
public import HearthApp
import HearthConcurrency
public import HearthModelSource

/// Fetches models from the server, keeps them on this device and updates them.
///
/// ```swift
/// ModelDownloader.modelDownloader().getModel(
///     name: "flowers", downloadType: .localModelUpdateInBackground, conditions: ModelDownloadConditions()
/// ) { result in
///     if case .success(let model) = result { print(model.path) }
/// }
/// ```
///
/// Use it from any thread. Completions and progress are called on the app's `callbackQueue`. What is installed works
/// without a connection, and stays installed until something better has been fetched, verified and put in its place.
public final class ModelDownloader: Sendable {
    let core: DeliveryCore

    private init(app: FirebaseApp) { core = DeliveryCore.core(of: app) }

    /// Of the default app, which must be configured.
    public static func modelDownloader() -> ModelDownloader {
        guard let app = FirebaseApp.registered() else { Misuse.stop("Default Firebase app not configured.") }
        return modelDownloader(app: app)
    }

    /// The same object for the same app, until the app is deleted; every call fails after that.
    public static func modelDownloader(app: FirebaseApp) -> ModelDownloader {
        app.service(ModelDownloader.self) { ModelDownloader(app: app) }
    }

    /// How this app's models are fetched and kept, whichever API asks for them. A change counts from the next download on.
    public var settings: DeliverySettings {
        get { core.settings }
        set { core.settings = newValue }
    }

    /// Gets a model by its display name.
    ///
    /// Calls for one model at the same time share one transfer, under the conditions of the first of them.
    ///
    /// - Parameters:
    ///   - progressHandler: called with 0...1 while a file is fetched; never when the installed one is used.
    ///   - completion: called once.
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

    /// Removes a model from this device; `.notFound` when it is not there. Whoever waits for its download gets an error.
    /// A program that has opened the file may go on reading it.
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
    /// The copy on this device; from the server only when there is none.
    case localModel
    /// The copy on this device at once, and then a check for a newer one in the background.
    case localModelUpdateInBackground
    /// The newest one: always asks the server.
    case latestModel
}

/// The calls with completions, for async code. They return off the callback queue, which need not run.
extension ModelDownloader {
    /// Gets a model by its display name. Throws ``DownloadError``, or `CancellationError` when the task was cancelled; the
    /// transfer goes on while others wait for it. `states(ofModel:)` shows the progress.
    ///
    /// It takes no closure: one that did would take over calls of the original in async functions, whose trailing closure is
    /// the completion.
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

    /// Removes a model from this device; throws ``DownloadedModelError``, `.notFound` when it is not there.
    public func deleteDownloadedModel(name modelName: String) async throws {
        try await withCheckedThrowingContinuation { continuation in
            core.onBlockingQueue { continuation.resume(with: self.delete(modelName)) }
        }
    }
}

/// What goes on with a model, and how to keep it up to date. Hearth's additions.
extension ModelDownloader {
    /// What there is of a model now, whoever fetches it. Blocks while it looks at the disk: not for Swift's cooperative pool.
    public func state(ofModel modelName: String) -> ModelState { core.state(of: modelName) }

    /// Calls `change` with the state now, and then at each change, in order, on the app's `callbackQueue`, until the
    /// observation is cancelled or released or the app is deleted. Progress comes in about a hundred steps.
    public func observeState(
        ofModel modelName: String, using change: @escaping (ModelState) -> Void
    ) -> ModelStateObservation {
        let callback = Callback(change)
        return ModelStateObservation(core.observe(modelName, { callback.call(with: $0) }))
    }

    /// The state now, and then each change. Whoever reads slowly misses states, but never the newest. Ends when the app is
    /// deleted. Needs no callback queue.
    public func states(ofModel modelName: String) -> AsyncStream<ModelState> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let ticket = core.observe(
                modelName, on: DispatchQueue(label: "app.hearth.delivery.states"), { continuation.yield($0) },
                end: { continuation.finish() })
            continuation.onTermination = { _ in ticket.cancel() }
        }
    }

    /// Fetches the model within seconds if there is none, else looks for a newer version after a random part of a tenth of
    /// `seconds`; then looks about every `seconds`, give or take a tenth, so that devices do not all ask at the same time. A check
    /// that fails is repeated after shorter, growing pauses; one that the conditions do not allow is left out.
    ///
    /// A model that is not on this device is fetched, also after it was deleted: cancel the refresh first.
    ///
    /// - Parameters:
    ///   - seconds: at least 60; less counts as 60.
    ///   - requiringExternalPower: leaves checks out while the device is known to run on its battery.
    /// - Returns: the refresh, which ends when it is cancelled or released.
    public func keepUpdated(
        name modelName: String, every seconds: Double, conditions: ModelDownloadConditions = ModelDownloadConditions(),
        requiringExternalPower: Bool = false
    ) -> ModelRefresh {
        let plan = ModelRefresh.Plan(
            name: modelName, conditions: DownloadConditions(conditions), requiresExternalPower: requiringExternalPower)
        return ModelRefresh.start(plan, everySeconds: seconds, core: core)
    }

    /// For apps that run models themselves: `model` does not load on this device. The version before it is installed again,
    /// and this one is not fetched any more; a newer one is. The state and the failure notification tell so. Does nothing when `model` is not the installed version. Blocks.
    ///
    /// Labelers, detectors and `ModelInterpreter` do this by themselves.
    /// - Parameter reason: what the app wants to read in the state's failure.
    public func reject(_ model: CustomModel, reason: String) {
        core.reject(path: model.path, of: model.name, reason: reason)
    }
}

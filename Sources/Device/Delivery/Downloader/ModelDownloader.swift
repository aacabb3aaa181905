import Dispatch
public import HearthApp
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
        guard let app = FirebaseApp.app() else { fatalError("Default Firebase app not configured.") }
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
        let request = ModelRequest(name: modelName, type: downloadType, conditions: TransferConditions(conditions))
        request.start(core, progress: progressHandler.map(Callback.init)) { result in
            callback.call(with: result.mapError(\.error), on: app.serialCallbackQueue)
        }
    }

    /// Every model on this device. Files and records that are not models are left out.
    public func listDownloadedModels(completion: @escaping (Result<Set<CustomModel>, DownloadedModelError>) -> Void) {
        let callback = Callback(completion)
        core.whereBlockingIsAllowed { [self] in callback.call(with: list(), on: core.app.serialCallbackQueue) }
    }

    /// Removes a model from this device; `.notFound` when it is not there. Whoever waits for its download gets an error.
    /// A program that has opened the file may go on reading it.
    public func deleteDownloadedModel(
        name modelName: String, completion: @escaping (Result<Void, DownloadedModelError>) -> Void
    ) {
        let callback = Callback(completion)
        core.whereBlockingIsAllowed { [self] in
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

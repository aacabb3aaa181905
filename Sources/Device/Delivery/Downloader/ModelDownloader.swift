import Dispatch
public import HearthApp
public import HearthModelSource
import Synchronization

/// Fetches models from the server, keeps them on this device and updates them.
///
/// Use it from any thread. Completions and progress are called on the app's `callbackQueue`. What is installed works
/// without a connection.
public final class ModelDownloader: Sendable {
    private let app: FirebaseApp
    private let work = DispatchQueue(label: "app.hearth.model-downloader", attributes: .concurrent)
    private let transfers = Mutex<[String: [Waiter]]>([:])

    private struct Waiter: Sendable {
        let progress: Callback<Float>?
        let completion: @Sendable (Result<CustomModel, DownloadError>) -> Void
    }

    private init(app: FirebaseApp) { self.app = app }

    /// Of the default app, which must be configured.
    public static func modelDownloader() -> ModelDownloader {
        guard let app = FirebaseApp.app() else { preconditionFailure("Default Firebase app not configured.") }
        return modelDownloader(app: app)
    }

    /// The same object for the same app.
    public static func modelDownloader(app: FirebaseApp) -> ModelDownloader {
        instances.withLock { instances in
            if let known = instances[app.name], known.app === app { return known }
            let made = ModelDownloader(app: app)
            instances[app.name] = made
            return made
        }
    }

    private static let instances = Mutex<[String: ModelDownloader]>([:])

    /// Gets a model by its display name.
    ///
    /// - Parameters:
    ///   - progressHandler: called with 0...1 while a file is fetched; never when the installed one is used.
    ///   - completion: called once. Calls for one model at the same time share one transfer.
    public func getModel(
        name modelName: String, downloadType: ModelDownloadType, conditions: ModelDownloadConditions,
        progressHandler: ((Float) -> Void)? = nil,
        completion: @escaping (Result<CustomModel, DownloadError>) -> Void
    ) {
        let callback = Callback(completion)
        let app = app
        start(
            modelName, downloadType,
            Waiter(progress: progressHandler.map(Callback.init)) { result in
                callback.call(with: result, on: app.callbackQueue)
            })
    }

    /// The same for async code; returns off the callback queue.
    public func getModel(
        name modelName: String, downloadType: ModelDownloadType,
        conditions: ModelDownloadConditions = ModelDownloadConditions(), progressHandler: ((Float) -> Void)? = nil
    ) async throws -> CustomModel {
        let progress = progressHandler.map(Callback.init)
        return try await withCheckedThrowingContinuation { continuation in
            start(modelName, downloadType, Waiter(progress: progress) { continuation.resume(with: $0) })
        }
    }

    /// The copy on this device, checked; nil when there is none or it is damaged. Asks no server. Blocks: not for
    /// Swift's cooperative pool. Hearth's addition.
    public func installedModel(name modelName: String) throws -> CustomModel? {
        guard !modelName.isEmpty else { throw DownloadError.emptyModelName }
        return try fetcher().installed(modelName)
    }

    /// The newest published version, for code that blocks its thread already and shows bytes.
    package func latestModel(name modelName: String, progress: @escaping ByteProgress) throws(DownloadError)
        -> CustomModel
    {
        guard !modelName.isEmpty else { throw .emptyModelName }
        return try fetcher().latest(modelName, progress: progress)
    }

    /// Every model on this device. Records that cannot be read are left out.
    public func listDownloadedModels(completion: @escaping (Result<Set<CustomModel>, DownloadedModelError>) -> Void) {
        let callback = Callback(completion)
        work.async { callback.call(with: self.list(), on: self.app.callbackQueue) }
    }

    public func listDownloadedModels() async throws -> Set<CustomModel> {
        try await withCheckedThrowingContinuation { continuation in
            work.async { continuation.resume(with: self.list()) }
        }
    }

    /// Removes a model from this device; `.notFound` when it is not there.
    public func deleteDownloadedModel(
        name modelName: String, completion: @escaping (Result<Void, DownloadedModelError>) -> Void
    ) {
        let callback = Callback(completion)
        work.async { callback.call(with: self.delete(modelName), on: self.app.callbackQueue) }
    }

    public func deleteDownloadedModel(name modelName: String) async throws {
        try await withCheckedThrowingContinuation { continuation in
            work.async { continuation.resume(with: self.delete(modelName)) }
        }
    }

    private func start(_ name: String, _ type: ModelDownloadType, _ waiter: Waiter) {
        guard !name.isEmpty else { return waiter.completion(.failure(.emptyModelName)) }
        work.async { self.run(name, type, waiter) }
    }

    private func run(_ name: String, _ type: ModelDownloadType, _ waiter: Waiter) {
        guard type != .latestModel else { return fetch(name, waiter) }
        do throws(DownloadError) {
            guard let model = try fetcher().installed(name) else { return fetch(name, waiter) }
            waiter.completion(.success(model))
            if type == .localModelUpdateInBackground {
                fetch(name, Waiter(progress: nil) { _ in })
            }
        } catch {
            waiter.completion(.failure(error))
        }
    }

    /// Joins the running transfer of the model, or starts one.
    private func fetch(_ name: String, _ waiter: Waiter) {
        let isFirst = transfers.withLock { transfers in
            transfers[name, default: []].append(waiter)
            return transfers[name]?.count == 1
        }
        guard isFirst else { return }
        let result: Result<CustomModel, DownloadError>
        do throws(DownloadError) {
            var shown: Float = -1
            result = .success(
                try fetcher().latest(name) { [self] completed, total in
                    let value = total == 0 ? 1 : Float(Double(completed) / Double(total))
                    guard value - shown >= 0.01 || value >= 1 else { return }
                    shown = value
                    self.report(value, name)
                })
        } catch {
            result = .failure(error)
        }
        let waiters = transfers.withLock { $0.removeValue(forKey: name) ?? [] }
        for waiter in waiters { waiter.completion(result) }
    }

    private func report(_ value: Float, _ name: String) {
        for waiter in transfers.withLock({ $0[name] ?? [] }) {
            waiter.progress?.call(with: value, on: app.callbackQueue)
        }
    }

    private func list() -> Result<Set<CustomModel>, DownloadedModelError> {
        do {
            return .success(Set(try store().list()))
        } catch {
            return .failure(.internalError(description: "\(error)"))
        }
    }

    private func delete(_ name: String) -> Result<Void, DownloadedModelError> {
        do {
            return try store().delete(name) ? .success(()) : .failure(.notFound)
        } catch {
            return .failure(.fileIOError(description: "\(error)"))
        }
    }

    private func store() throws -> DeviceStore {
        try DeviceStore(folder: app.folder, files: app.environment.files)
    }

    private func fetcher() throws(DownloadError) -> ModelFetcher {
        guard let address = ServerAddress(app.options) else {
            throw .internalError(
                description: """
                    Unable to retrieve project ID and/or API key for Firebase app. The server's address \
                    (HEARTH_SERVER_URL) is needed too.
                    """)
        }
        let installations = Installations.installations(app: app)
        do {
            return ModelFetcher(
                store: try store(), address: address, environment: app.environment,
                authToken: { try installations.blockingAuthToken(forcingRefresh: $0) })
        } catch {
            throw .internalError(description: "Could not create directory for model storage. \(error)")
        }
    }
}

import Dispatch
public import Foundation
public import HearthApp
import HearthClient
import HearthConcurrency
public import HearthModelSource

/// Downloads remote models to this device, returns their paths, and removes them.
///
/// ```swift
/// let model = CustomRemoteModel(name: "flowers")
/// let progress = ModelManager.modelManager().download(model, conditions: ModelDownloadConditions())
/// ```
///
/// Use it from any thread. Notifications report the end of a download: `.firebaseMLModelDownloadDidSucceed` and
/// `.firebaseMLModelDownloadDidFail`, or those with ML Kit's names. Errors are `NSError`s in the domain
/// `com.google.mlkit`, with the ``DownloadFailure`` as underlying error.
public final class ModelManager: NSObject, Sendable {
    private let app: FirebaseApp
    private let core: DeliveryCore
    private let downloads = Lock(AutomaticDownloads())

    private init(app: FirebaseApp) {
        self.app = app
        core = DeliveryCore.core(of: app)
    }

    /// The model manager of the default app. Ends the process when that app is not configured, as the original does.
    public class func modelManager() -> ModelManager {
        guard let app = FirebaseApp.registered() else {
            Misuse.stop(
                "FIRAppNotConfigured: the default FirebaseApp must be configured before ModelManager is used.")
        }
        return modelManager(app: app)
    }

    /// The model manager of an app: the same object for the same app, until the app is deleted.
    public class func modelManager(app: FirebaseApp) -> ModelManager {
        app.service(ModelManager.self) { ModelManager(app: app) }
    }

    /// Whether a copy of the model is on this device; stays true while a newer one is being downloaded. Quick: checks
    /// that the file exists, but does not read it.
    public func isModelDownloaded(_ remoteModel: RemoteModel) -> Bool {
        core.isInstalled(remoteModel.name)
    }

    /// Starts a download of the newest version immediately. It also succeeds when the copy on this device is the
    /// newest. Calls for one model at the same time share one download, and each of them gets its result.
    ///
    /// - Returns: Counts bytes, and changes on the app's `callbackQueue`: read it there. It is finished when the
    ///   success notification is posted. Cancelling it ends this call with the failure notification; other callers that
    ///   wait for the same model still get it.
    @discardableResult
    public func download(_ remoteModel: RemoteModel, conditions: ModelDownloadConditions) -> Progress {
        let conditions = DownloadConditions(conditions)
        downloads.withLock { $0.begin(remoteModel.name, conditions) }
        return start(remoteModel, conditions)
    }

    /// ``download(_:conditions:)`` under the default conditions, for older apps.
    @discardableResult
    public func download(_ remoteModel: RemoteModel) -> Progress {
        download(remoteModel, conditions: ModelDownloadConditions())
    }

    /// Removes the model from this device and cancels its download.
    /// - Parameter completion: Called on the app's `callbackQueue`, with nil when the model is removed. The error's
    ///   code is 5 when the model was not on this device.
    public func deleteDownloadedModel(_ remoteModel: RemoteModel, completion: @escaping ((any Error)?) -> Void) {
        let callback = Callback(completion)
        let name = remoteModel.name
        core.onBlockingQueue { callback.call(with: self.deletionError(name), on: self.app.serialCallbackQueue) }
    }

    /// ``deleteDownloadedModel(_:completion:)`` for async code.
    public func deleteDownloadedModel(_ remoteModel: RemoteModel) async throws {
        let name = remoteModel.name
        let error = await withCheckedContinuation { continuation in
            core.onBlockingQueue { continuation.resume(returning: self.deletionError(name)) }
        }
        if let error { throw error }
    }

    /// The absolute path of the newest copy on this device, verified. The file does not change; a program that has
    /// opened it can read it to the end even after an update.
    ///
    /// Blocks while it reads a file that was not verified since it was written.
    /// - Parameter completion: Called on this thread, before this method returns, with a path or an error. The error's
    ///   code is 5 when the model is not on this device.
    public func getLatestModelFilePath(
        _ remoteModel: RemoteModel, completion: @escaping (String?, (any Error)?) -> Void
    ) {
        switch filePath(remoteModel.name) {
        case .success(let path): completion(path, nil)
        case .failure(let error): completion(nil, error)
        }
    }

    /// ``getLatestModelFilePath(_:completion:)`` for async code.
    @discardableResult
    public func getLatestModelFilePath(_ remoteModel: RemoteModel) async throws -> String {
        let name = remoteModel.name
        return try await withCheckedThrowingContinuation { continuation in
            core.onBlockingQueue { continuation.resume(with: self.filePath(name)) }
        }
    }
}

extension ModelManager {
    /// Downloads a missing model that the app wants to run, under the conditions that the app last chose for it. The
    /// notification contains a `CustomRemoteModel`. An app may call this with every image.
    func downloadForUse(_ name: String) {
        let uptime = app.environment.clock.uptime()
        guard let conditions = downloads.withLock({ $0.beginForUse(name, uptime: uptime) }) else { return }
        start(CustomRemoteModel(name: name), conditions)
    }

    /// Why a model is missing: it is being downloaded, or a backoff runs.
    func absence(of name: String) -> ModelAbsence {
        let uptime = app.environment.clock.uptime()
        let failure = downloads.withLock { $0.backoffFailure(name, uptime: uptime) }
        return failure.map { .backingOff(reason: $0.message) } ?? .downloading
    }

    @discardableResult
    private func start(_ model: RemoteModel, _ conditions: DownloadConditions) -> Progress {
        let progress = DownloadProgress.makeProgress()
        let shown = DownloadProgress(progress, queue: app.serialCallbackQueue)
        let event = ModelDownloadNotification(model)
        let name = model.name
        let cancellation = Cancellation()
        // Set before the download begins: afterwards, only the callback queue may use the object.
        progress.cancellationHandler = { cancellation.cancel() }
        let part = core.download(
            name, conditions: conditions, progress: { shown.update(completed: $0, total: $1) },
            completion: { self.end(name, $0, shown, event) })
        cancellation.onCancel { part.cancel() }
        return progress
    }

    private func end(
        _ name: String, _ result: Result<CustomModel, DownloadFailure>, _ progress: DownloadProgress,
        _ event: ModelDownloadNotification
    ) {
        let uptime = app.environment.clock.uptime()
        let random = app.environment.random()
        var failure: DownloadFailure?
        switch result {
        case .success(let model): progress.finish(byteCount: model.size)
        case .failure(let reason): failure = reason
        }
        downloads.withLock { [failure] in $0.end(name, failure: failure, uptime: uptime, random: random) }
        app.serialCallbackQueue.async { event.post(result) }
    }

    private func deletionError(_ name: String) -> NSError? {
        do throws(DownloadFailure) {
            return try core.delete(name) ? nil : ModelManagerError.notDownloaded(name)
        } catch {
            return ModelManagerError.deletion(of: name, error)
        }
    }

    private func filePath(_ name: String) -> Result<String, NSError> {
        do throws(DownloadFailure) {
            guard let model = try core.installed(name) else { return .failure(ModelManagerError.notDownloaded(name)) }
            core.recordUse(of: model)
            return .success(model.path)
        } catch {
            return .failure(ModelManagerError.filePath(of: name, error))
        }
    }
}

/// Updates the `Progress` of one download on the app's callback queue, because Foundation's object has no lock.
///
/// `@unchecked Sendable`: after its creation, this class uses the object that `progress` refers to on the callback
/// queue only; everything else is immutable or guarded.
final class DownloadProgress: @unchecked Sendable {
    private typealias Counts = (completed: UInt64, total: UInt64)

    private let queue: DispatchQueue
    // Weak, because the object's cancellation handler refers to the download, which refers to this object.
    private weak let progress: Progress?
    /// Counts that are not shown yet. Newer counts replace older ones, so that a slow queue does not fill up.
    private let pending = Lock<Counts?>(nil)

    /// The object that shows the counts; its total is unknown until the first call of `update`.
    static func makeProgress() -> Progress {
        let progress = Progress.discreteProgress(totalUnitCount: -1)
        progress.kind = .file
        progress.setUserInfoObject(Progress.FileOperationKind.downloading, forKey: .fileOperationKindKey)
        progress.isCancellable = true
        return progress
    }

    init(_ progress: Progress, queue: DispatchQueue) {
        self.progress = progress
        self.queue = queue
    }

    /// Shows new counts, in bytes. Call it on any thread, any number of times.
    func update(completed: UInt64, total: UInt64) {
        let isQueued = pending.withLock { unseen in
            defer { unseen = (completed, total) }
            return unseen != nil
        }
        guard !isQueued else { return }
        queue.async { [self] in
            guard let counts = pending.withLock({ $0.take() }) else { return }
            progress?.totalUnitCount = Int64(clamping: counts.total)
            progress?.completedUnitCount = Int64(clamping: counts.completed)
        }
    }

    /// Shows that all bytes have arrived, even if none had to be downloaded.
    func finish(byteCount: Int) {
        update(completed: UInt64(clamping: byteCount), total: UInt64(clamping: byteCount))
    }
}

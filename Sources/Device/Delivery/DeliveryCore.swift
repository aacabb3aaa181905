import Dispatch
import HearthApp
import HearthConcurrency
import HearthCrashGuard
import HearthCrypto
import HearthEvents
import HearthFiles
import HearthModelSource

/// One app's models, and one download at a time for each. The APIs of all generations use it.
///
/// Use it from any thread; only methods that say so block. When the app is deleted, downloads end and every later call
/// fails with `appDeleted`.
final class DeliveryCore: Sendable {
    let app: FirebaseApp
    let reports: ModelReports
    private let store: AppStore
    private let states: ModelStateStore
    private let trials: VersionTrials
    private let downloads: DownloadCoordinator
    private let sharedSettings = SharedSettings()
    private let events: EventLog
    private let isClosed = Lock(false)
    /// For work that blocks and should not block the caller's thread.
    private let work = DispatchQueue(label: "app.hearth.delivery", attributes: .concurrent)

    private init(app: FirebaseApp) {
        self.app = app
        let reports = ModelReports.reports(of: app)
        self.reports = reports
        let states = ModelStateStore()
        self.states = states
        let trials = VersionTrials(app, states: states)
        self.trials = trials
        let store = AppStore(app, settings: sharedSettings, trials: trials)
        self.store = store
        events = EventLog.log(of: app)
        downloads = DownloadCoordinator(
            download: { [sharedSettings] job, progress in
                Result { () throws(DownloadFailure) in
                    var download = ModelDownload(
                        job.name, app: app, store: try store.open(), conditions: job.conditions,
                        settings: sharedSettings.value, cancellation: job.cancellation, progress: progress)
                    download.onHealth = { reports.count($1, job.name, hash: $0.hex) }
                    return try download.run()
                }
            },
            onEvent: { [states] job, event in
                // A lookup in the store, so that the state shows either a first download or an update.
                if case .started = event { _ = Self.lookUp(job.name, store, states) }
                states.record(event, of: job)
            })
    }

    /// The core of an app: the same object for the same app, until the app is deleted.
    static func core(of app: FirebaseApp) -> DeliveryCore {
        app.service(DeliveryCore.self, make: { DeliveryCore(app: app) }, close: { $0.close() })
    }

    /// Each download reads the settings when it starts.
    var settings: DeliverySettings {
        get { sharedSettings.value }
        set { sharedSettings.value = newValue }
    }

    /// The copy on this device, verified; nil when the device has none. If the copy is damaged, the version before it,
    /// if that one is whole. Blocks while it reads a file that was not verified since it last changed.
    func installed(_ name: String) throws(DownloadFailure) -> CustomModel? { try find(name).model }

    /// The copy on this device, verified, for a caller that is about to use it; nil when the device has none. Starts a
    /// download when the copy is damaged, for which the caller does not wait while the version before it works. Blocks.
    private func installedForUse(
        _ name: String, _ conditions: DownloadConditions
    ) throws(DownloadFailure) -> CustomModel? {
        let finding = try find(name)
        if case .damaged(.some) = finding { download(name, conditions: conditions) }
        return finding.model
    }

    /// Gets a model in the way that the app asks for.
    ///
    /// - Parameters:
    ///   - progress, completion: As for ``download(_:conditions:progress:completion:)``.
    /// - Returns: Cancels this caller's part.
    @discardableResult
    func get(
        _ name: String, _ type: ModelDownloadType, _ conditions: DownloadConditions, progress: ByteProgress? = nil,
        completion: @escaping @Sendable (Result<CustomModel, DownloadFailure>) -> Void
    ) -> Cancellation {
        let answer: @Sendable (Result<CustomModel, DownloadFailure>) -> Void = { [self] result in
            if case .success(let model) = result { recordUse(of: model) }
            completion(result)
        }
        guard type != .latestModel, !name.isEmpty else {
            return download(name, conditions: conditions, progress: progress, completion: answer)
        }
        let cancellation = Cancellation()
        work.async { [self] in
            do throws(DownloadFailure) {
                guard let model = try installedForUse(name, conditions) else {
                    let part = download(name, conditions: conditions, progress: progress, completion: answer)
                    return cancellation.onCancel { part.cancel() }
                }
                answer(.success(model))
                // Only the model's state shows how this ends.
                if type == .localModelUpdateInBackground { download(name, conditions: conditions) }
            } catch {
                completion(.failure(error))
            }
        }
        return cancellation
    }

    /// Records that the app uses the model: this is the exposure of the experiments that vary it. An app may call this
    /// with every image.
    func recordUse(of model: CustomModel) {
        VendedModels.shared.add(model, of: app)
        for entry in model.experiments {
            events.report(
                Exposure(
                    experiment: entry.experiment, variant: entry.variant, start: entry.start,
                    source: "model \(model.name)", state: model.hash))
        }
    }

    /// Whether a record and a file of the right length exist. Quick; for calls on the main thread.
    func isInstalled(_ name: String) -> Bool {
        guard (try? check(name)) != nil else { return false }
        return (try? store.open().isInstalled(name)) ?? false
    }

    /// Asks the server and downloads a newer version: starts a download, or joins the running one.
    ///
    /// A download has the conditions of the call that started it. If they do not hold, callers with other conditions
    /// wait for a new download.
    ///
    /// - Parameters:
    ///   - progress: Completed and total bytes, in about a hundred steps. Called on a queue of the core, where it must
    ///     not block; never after `completion`.
    ///   - completion: Called once, on the same queue and never before this method returns.
    /// - Returns: Cancels this caller's part. Releasing it does not cancel.
    @discardableResult
    func download(
        _ name: String, conditions: DownloadConditions = DownloadConditions(), progress: ByteProgress? = nil,
        completion: @escaping @Sendable (Result<CustomModel, DownloadFailure>) -> Void = { _ in }
    ) -> Cancellation {
        let caller = DownloadCaller(progress: progress, completion: completion)
        return name.isEmpty ? downloads.fail(caller, .emptyName) : downloads.join(name, conditions, caller)
    }

    /// Every installed model, not verified. Blocks.
    func list() throws(DownloadFailure) -> [CustomModel] {
        try check()
        return try store.use { store throws(FileError) in try store.list() }
    }

    /// Every model that was installed, verified. A model that cannot be read counts as damaged. Blocks.
    func copies() throws(DownloadFailure) -> [InstalledCopy] {
        try check()
        var copies: [InstalledCopy] = []
        for model in try store.use({ store throws(FileError) in try store.records() }) {
            let finding = Result { () throws(DownloadFailure) in try find(model.name) }
            switch finding {
            case .success(.installed(let whole)): copies.append(InstalledCopy(model: whole, isDamaged: false))
            case .success(.damaged), .failure: copies.append(InstalledCopy(model: model, isDamaged: true))
            case .success(.missing): break
            }
        }
        return copies
    }

    /// Removes the model and cancels its download. Blocks.
    ///
    /// - Returns: Whether the model was installed.
    func delete(_ name: String) throws(DownloadFailure) -> Bool {
        try check(name)
        downloads.cancelDownload(of: name)
        let existed = try store.use { store throws(FileError) in try store.delete(name) }
        states.recordDeletion(of: name)
        return existed
    }

    /// Deletes files that nothing needs any more, and returns how many. Blocks.
    func collect() throws(DownloadFailure) -> Int {
        try check()
        return try store.use { store throws(FileError) in try store.collect() }
    }

    /// Rejects the copy at `path`, which does not load here: the version before it is installed again, and this one is
    /// not downloaded again. The app gets the reason in the model's state and in the failure notification. Blocks.
    ///
    /// - Returns: The failure that the app gets; nil when `path` is not the installed copy, and then nothing changes.
    @discardableResult
    func reject(path: String, of name: String, reason: String) -> DownloadFailure? {
        guard case .installed(let model) = try? find(name), model.path == path,
            let digest = SHA256Digest(hex: model.hash)
        else { return nil }
        do throws(DownloadFailure) {
            let previous = try store.use { store throws(FileError) in
                try store.reject(digest, of: name, reason: reason)
            }
            return trials.announce(name, model.hash, reason: reason, previous: previous)
        } catch {
            // The store failed; the next call for the model reports why.
            return nil
        }
    }

    /// The guard of a version in this process; nil when the disk does not work. Writes a file at the first call.
    func guarded(_ hash: String) -> GuardedVersion? { trials.version(hash) }

    /// What watches the loads and runs of a model.
    func watched(_ model: CustomModel) -> WatchedVersion { model.watch.version(of: model, self) }

    /// The model's state now. Blocks while it reads the store.
    func state(of name: String) -> ModelState {
        do throws(DownloadFailure) {
            try check(name)
        } catch {
            return .failed(error, installed: nil)
        }
        _ = Self.lookUp(name, store, states)
        return states.state(of: name)
    }

    /// Calls `change` with the state now and then at each change, until the result is cancelled or the app is deleted.
    ///
    /// - Parameters:
    ///   - queue: nil for the app's callback queue.
    ///   - end: Called after the last change when the app is deleted.
    func observe(
        _ name: String, on queue: DispatchQueue? = nil, _ change: @escaping @Sendable (ModelState) -> Void,
        end: (@Sendable () -> Void)? = nil
    ) -> Cancellation {
        let observer = StateObserver(on: { [app] in queue ?? app.serialCallbackQueue }, change: change, end: end)
        work.async { [store, states] in
            _ = Self.lookUp(name, store, states)
            states.add(observer, to: name)
        }
        return Cancellation { [states] in
            observer.cancel()
            states.remove(observer, from: name)
        }
    }

    /// Runs `body` where it may block.
    func onBlockingQueue(_ body: @escaping @Sendable () -> Void) { work.async(execute: body) }

    private func close() {
        isClosed.withLock { $0 = true }
        downloads.close(.appDeleted(app.name))
        states.close()
    }

    /// What a lookup finds on this device, verified. Blocks.
    func find(_ name: String) throws(DownloadFailure) -> DeviceStore.LookupResult {
        try check(name)
        return try Self.lookUp(name, store, states).get()
    }

    private func check(_ name: String? = nil) throws(DownloadFailure) {
        if isClosed.withLock({ $0 }) { throw .appDeleted(app.name) }
        if name == "" { throw .emptyName }
    }

    /// Looks the model up in the store and records the result in the model's state.
    private static func lookUp(
        _ name: String, _ store: AppStore, _ states: ModelStateStore
    ) -> Result<DeviceStore.LookupResult, DownloadFailure> {
        let generation = states.generation(of: name)
        let finding = Result { () throws(DownloadFailure) in try store.find(name) }
        states.recordLookup(finding, of: name, generation: generation)
        return finding
    }
}

import Dispatch
import HearthApp
import HearthEvents
import HearthModelSource
import Synchronization

/// One app's models: who waits for which, and one transfer at a time for each. All generations of the API stand on it.
///
/// Use it from any thread; what blocks is said to. When the app is deleted, transfers end and every later call fails with
/// `appDeleted`.
final class DeliveryCore: Sendable {
    let app: FirebaseApp
    private let worker: ModelWorker
    private let board: ModelStateStore
    private let hub: DownloadCoordinator
    private let mutableSettings: SharedSettings
    private let events: EventLog
    private let isClosed = Atomic(false)
    /// For what blocks and nobody should wait for on their own thread.
    private let work = DispatchQueue(label: "app.hearth.delivery", attributes: .concurrent)

    private init(app: FirebaseApp) {
        let settings = SharedSettings()
        let worker = ModelWorker(app: app, settings: settings)
        let board = ModelStateStore()
        self.app = app
        self.worker = worker
        self.board = board
        mutableSettings = settings
        events = EventLog.log(of: app)
        hub = DownloadCoordinator(
            download: { job, progress in
                Result { () throws(DownloadFailure) in try worker.latest(job, progress: progress) }
            },
            onEvent: { job, event in
                // Whether it is a download or an update shows in the store.
                if case .started = event { _ = Self.lookUp(job.name, worker, board) }
                board.record(event, of: job)
            })
    }

    /// The same object for the same app, until the app is deleted.
    static func core(of app: FirebaseApp) -> DeliveryCore {
        app.service(DeliveryCore.self, make: { DeliveryCore(app: app) }, close: { $0.close() })
    }

    /// Taken at the start of each transfer.
    var settings: DeliverySettings {
        get { mutableSettings.value }
        set { mutableSettings.value = newValue }
    }

    /// The copy on this device, verified; nil when there is none. Of a damaged one the version before it, if that is whole.
    /// Reads the file when it was not verified since it last changed: blocks.
    func installed(_ name: String) throws(DownloadFailure) -> CustomModel? { try find(name).model }

    /// The same for somebody who is about to use it: a damaged copy is fetched again, and nobody has to wait for that while
    /// there is a version before it. Blocks.
    func installedForUse(
        _ name: String, conditions: ModelDownloadConditions = ModelDownloadConditions()
    ) throws(DownloadFailure) -> CustomModel? {
        let finding = try find(name)
        if case .damaged(.some) = finding { download(name, conditions: conditions) }
        return finding.model
    }

    /// The app gets the model: the experiments that vary it have met this installation. May be called with every image.
    func recordUse(of model: CustomModel) {
        VendedModels.shared.add(model, of: app)
        for entry in model.experiments {
            events.report(
                Exposure(
                    experiment: entry.experiment, variant: entry.variant, start: entry.start,
                    source: "model \(model.name)", state: model.hash))
        }
    }

    /// Whether there is a record and a file of the right length. Quick; for calls on the main thread.
    func isInstalled(_ name: String) -> Bool {
        guard (try? check(name)) != nil else { return false }
        return (try? worker.isInstalled(name)) ?? false
    }

    /// Asks the server and fetches what is newer: starts a transfer, or joins the one under way.
    ///
    /// A transfer runs under the conditions of the call that started it. When they do not hold, callers with other conditions
    /// go on in a transfer of their own.
    ///
    /// - Parameters:
    ///   - progress: completed and total bytes, in about a hundred steps. Called on a queue of the core, where it must not
    ///     block; never after `completion`.
    ///   - completion: called once, on the same queue and never before this method returns.
    /// - Returns: this caller's part in the transfer. Forgetting it does not cancel.
    @discardableResult
    func download(
        _ name: String, conditions: ModelDownloadConditions = ModelDownloadConditions(),
        progress: (@Sendable (_ completed: UInt64, _ total: UInt64) -> Void)? = nil,
        completion: @escaping @Sendable (Result<CustomModel, DownloadFailure>) -> Void = { _ in }
    ) -> CancellationHandle {
        guard !name.isEmpty else {
            return hub.fail(DownloadCaller(progress: progress, completion: completion), .emptyName)
        }
        return hub.join(
            name, DownloadConditions(conditions), DownloadCaller(progress: progress, completion: completion))
    }

    /// Blocks.
    func list() throws(DownloadFailure) -> [CustomModel] {
        try check()
        return try worker.list()
    }

    /// Everything that was installed, verified. A model that cannot be read counts as damaged. Blocks.
    func copies() throws(DownloadFailure) -> [InstalledCopy] {
        try check()
        var copies: [InstalledCopy] = []
        for model in try worker.records() {
            let finding = Result { () throws(DownloadFailure) in try find(model.name) }
            switch finding {
            case .success(.installed(let whole)): copies.append(InstalledCopy(model: whole, isDamaged: false))
            case .success(.damaged), .failure: copies.append(InstalledCopy(model: model, isDamaged: true))
            case .success(.missing): break
            }
        }
        return copies
    }

    /// False when there is no such model. Cancels a transfer of it. Blocks.
    func delete(_ name: String) throws(DownloadFailure) -> Bool {
        try check(name)
        hub.cancelDownload(of: name)
        let existed = try worker.delete(name)
        board.recordDeletion(of: name)
        return existed
    }

    /// Deletes files that nothing needs any more; how many those were. Blocks.
    func collect() throws(DownloadFailure) -> Int {
        try check()
        return try worker.collect()
    }

    /// The copy at `path` does not load here: the one before it is installed again, and this one is not fetched again. Blocks.
    ///
    /// - Returns: what the app is to be told; nil when `path` is not the installed copy.
    @discardableResult
    func reject(path: String, of name: String, reason: String) -> DownloadFailure? {
        guard case .installed(let model) = try? find(name), model.path == path else { return nil }
        do throws(DownloadFailure) {
            let previous = try worker.reject(model, reason: reason)
            let failure = DownloadFailure.unusable(name, reason: reason, hasPrevious: previous != nil)
            board.recordRejection(of: name, failure, previous: previous)
            ModelReports.reports(of: app).recordLoadFailure(name)
            return failure
        } catch {
            // The store cannot be used any more: who asks for the model is told why.
            return nil
        }
    }

    /// Blocks while it looks at the store.
    func state(of name: String) -> ModelState {
        do throws(DownloadFailure) {
            try check(name)
        } catch {
            return .failed(error, installed: nil)
        }
        _ = Self.lookUp(name, worker, board)
        return board.state(of: name)
    }

    /// Calls `change` with the state now, and then at each change, until the ticket is cancelled or the app is deleted.
    ///
    /// - Parameters:
    ///   - queue: nil for the app's callback queue.
    ///   - end: called after the last change when the app is deleted.
    func observe(
        _ name: String, on queue: DispatchQueue? = nil, _ change: @escaping @Sendable (ModelState) -> Void,
        end: (@Sendable () -> Void)? = nil
    ) -> CancellationHandle {
        let observer = StateObserver(on: { [app] in queue ?? app.serialCallbackQueue }, change: change, end: end)
        work.async { [worker, board] in
            _ = Self.lookUp(name, worker, board)
            board.add(observer, to: name)
        }
        return CancellationHandle { [board] in
            observer.cancel()
            board.remove(observer, from: name)
        }
    }

    /// Runs `body` where it may block.
    func onBlockingQueue(_ body: @escaping @Sendable () -> Void) { work.async(execute: body) }

    private func close() {
        isClosed.store(true, ordering: .releasing)
        hub.close(.appDeleted(app.name))
        board.close()
    }

    /// What is on this device, verified. Blocks.
    func find(_ name: String) throws(DownloadFailure) -> DeviceStore.LookupResult {
        try check(name)
        return try Self.lookUp(name, worker, board).get()
    }

    private func check(_ name: String? = nil) throws(DownloadFailure) {
        if isClosed.load(ordering: .acquiring) { throw .appDeleted(app.name) }
        if name == "" { throw .emptyName }
    }

    /// Looks at the store, and tells the board.
    private static func lookUp(
        _ name: String, _ worker: ModelWorker, _ board: ModelStateStore
    ) -> Result<DeviceStore.LookupResult, DownloadFailure> {
        let generation = board.generation(of: name)
        let finding = Result { () throws(DownloadFailure) in try worker.find(name) }
        board.recordLookup(finding, of: name, generation: generation)
        return finding
    }
}

/// A copy that does not load on this device.
struct UnusableModel: Sendable {
    let name: String
    let path: String
    let reason: String

    /// Installs the version before it again, and tells the app: through the model's state, and with the notification of
    /// failure. Does nothing when another copy is installed by now. Blocks.
    func reject(_ core: DeliveryCore) {
        guard let failure = core.reject(path: path, of: name, reason: reason) else { return }
        let event = ModelDownloadNotification(CustomRemoteModel(name: name))
        core.app.serialCallbackQueue.async { event.post(.failure(failure)) }
    }
}

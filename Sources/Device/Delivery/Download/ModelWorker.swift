import HearthApp
import HearthCrypto
import HearthFiles
import HearthTransport

/// Where the core meets the store and the server. Knows nothing of callers and states; every call blocks.
struct ModelWorker: Sendable {
    let app: FirebaseApp
    let settings: SharedSettings
    private let foundModels = ModelLookupCache()

    init(app: FirebaseApp, settings: SharedSettings) {
        self.app = app
        self.settings = settings
    }

    func find(_ name: String) throws(DownloadFailure) -> DeviceStore.LookupResult {
        let evidence = ModelLookupCache.Key(of: name, storeFolder: app.folder)
        if let evidence, let model = foundModels.model(name, evidence) { return .installed(model) }
        let store = try store()
        let finding = try mapped { () throws(FileError) in try store.find(name) }
        if let evidence, case .installed(let model) = finding { foundModels.remember(model, evidence) }
        return finding
    }

    func isInstalled(_ name: String) throws(DownloadFailure) -> Bool { try store().isInstalled(name) }

    func latest(
        _ job: DownloadJob, progress: @escaping @Sendable (UInt64, UInt64) -> Void
    ) throws(DownloadFailure) -> CustomModel {
        guard let address = ServerAddress(app.options) else {
            throw .notConfigured(app.options)
        }
        let installations = Installations.installations(app: app)
        let fetcher = ModelFetcher(
            store: try store(), address: address, environment: app.environment,
            authToken: { try installations.blockingAuthToken(forcingRefresh: $0, whileWaiting: $1) },
            description: { [app] in app.reportedDescription })
        return try fetcher.latest(
            job.name, conditions: job.conditions.downloadConditions, settings: settings.value,
            cancellation: job.cancellation, progress: progress)
    }

    func list() throws(DownloadFailure) -> [CustomModel] {
        let store = try store()
        return try mapped { () throws(FileError) in try store.list() }
    }

    func records() throws(DownloadFailure) -> [CustomModel] {
        let store = try store()
        return try mapped { () throws(FileError) in try store.records() }
    }

    func delete(_ name: String) throws(DownloadFailure) -> Bool {
        let store = try store()
        return try mapped { () throws(FileError) in try store.delete(name) }
    }

    func collect() throws(DownloadFailure) -> Int {
        let store = try store()
        return try mapped { () throws(FileError) in try store.collect() }
    }

    /// The installed copy does not load here. Gives the one that is installed now, if there is one.
    func reject(_ model: CustomModel, reason: String) throws(DownloadFailure) -> CustomModel? {
        guard let digest = SHA256Digest(hex: model.hash) else { throw .damaged(model.name) }
        let store = try store()
        return try mapped { () throws(FileError) in try store.reject(digest, of: model.name, reason: reason) }
    }

    /// Opened anew each time, so that it is made again when somebody removed it.
    private func store() throws(DownloadFailure) -> DeviceStore {
        let settings = settings.value
        let environment = app.environment
        do throws(FileError) {
            return try DeviceStore(
                folder: app.folder, files: environment.files, quotaBytes: settings.storeQuotaBytes,
                reservedFreeBytes: settings.reservedFreeBytes, now: environment.clock.now)
        } catch {
            throw .aboutStore(error)
        }
    }

    private func mapped<Value>(_ body: () throws(FileError) -> Value) throws(DownloadFailure) -> Value {
        do throws(FileError) {
            return try body()
        } catch {
            throw DownloadFailure(error)
        }
    }
}

extension DeviceStore.LookupResult {
    /// What there is to use.
    var model: CustomModel? {
        switch self {
        case .installed(let model): model
        case .missing: nil
        case .damaged(let previous): previous
        }
    }
}

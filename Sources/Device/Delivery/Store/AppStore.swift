import HearthApp
import HearthClient
import HearthFiles

/// An app's store. Each use opens it again, so that it exists again after another program removed it. Every call
/// blocks; call it from any thread.
struct AppStore: Sendable {
    private let app: FirebaseApp
    private let settings: SharedSettings
    private let lookups = ModelLookupCache()
    private let trials: VersionTrials

    init(_ app: FirebaseApp, settings: SharedSettings, trials: VersionTrials) {
        self.app = app
        self.settings = settings
        self.trials = trials
    }

    /// The installed model, verified. Reads no model file while nothing has changed since the last lookup.
    func find(_ name: String) throws(DownloadFailure) -> DeviceStore.LookupResult {
        let key = ModelLookupCache.Key(of: name, storeFolder: app.folder)
        if let key, let model = lookups.model(name, key) { return .installed(model) }
        let result = try use { store throws(FileError) in try store.find(name) }
        if let key, case .installed(let model) = result { lookups.remember(model, key) }
        return result
    }

    /// Runs `body` with the open store.
    func use<Value>(_ body: (DeviceStore) throws(FileError) -> Value) throws(DownloadFailure) -> Value {
        let store = try open()
        do throws(FileError) {
            return try body(store)
        } catch {
            throw DownloadFailure(error)
        }
    }

    /// Opens the store under the app's current settings. The first time, versions that ended earlier processes are
    /// rejected.
    func open() throws(DownloadFailure) -> DeviceStore {
        let settings = settings.value
        let environment = app.environment
        do throws(FileError) {
            let store = try DeviceStore(
                folder: app.folder, files: environment.files, quotaBytes: settings.storeQuotaBytes,
                reservedFreeBytes: settings.reservedFreeBytes, now: environment.clock.now)
            trials.judgeOnce(store)
            return store
        } catch {
            throw .aboutStore(error)
        }
    }
}

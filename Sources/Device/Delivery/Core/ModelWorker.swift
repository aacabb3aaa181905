import HearthApp
import HearthFiles
import HearthTransport

/// Where the core meets the store and the server. Knows nothing of callers and states; every call blocks.
struct ModelWorker: Sendable {
    let app: FirebaseApp

    /// The copy on this device, verified; nil when there is none. Throws `damaged` for one that is not what was installed.
    func installed(_ name: String) throws(DownloadFailure) -> CustomModel? {
        let store = try store()
        switch try mapped({ () throws(FileError) in try store.find(name) }) {
        case .installed(let model): return model
        case .missing: return nil
        case .damaged: throw .damaged(name)
        }
    }

    /// Whether there is a record and a file of the right length.
    func isInstalled(_ name: String) throws(DownloadFailure) -> Bool {
        try list().contains { $0.name == name }
    }

    func latest(
        _ job: TransferJob, _ settings: DeliverySettings, progress: @escaping @Sendable (UInt64, UInt64) -> Void
    ) throws(DownloadFailure) -> CustomModel {
        guard let address = ServerAddress(app.options) else {
            let message = """
                Unable to retrieve project ID and/or API key for Firebase app. The server's address \
                (HEARTH_SERVER_URL) is needed too.
                """
            throw DownloadFailure(.notConfigured, message, error: .internalError(description: message))
        }
        let installations = Installations.installations(app: app)
        let fetcher = ModelFetcher(
            store: try store(), address: address, environment: app.environment,
            authToken: { try installations.blockingAuthToken(forcingRefresh: $0) })
        do throws(DownloadError) {
            return try fetcher.latest(job.name, progress: progress)
        } catch {
            throw DownloadFailure(.serverFailed, "\(error)", error: error, isTemporary: error == .failedPrecondition)
        }
    }

    func list() throws(DownloadFailure) -> [CustomModel] {
        let store = try store()
        return try mapped { () throws(FileError) in try store.list() }
    }

    func delete(_ name: String) throws(DownloadFailure) -> Bool {
        let store = try store()
        return try mapped { () throws(FileError) in try store.delete(name) }
    }

    /// The installed copy does not load here. Gives the one that is installed now, if there is one.
    func putAside(_ model: CustomModel, reason: String) throws(DownloadFailure) -> CustomModel? {
        let message = "This store keeps no earlier versions of '\(model.name)'."
        throw DownloadFailure(.storeFailed, message, error: .internalError(description: message))
    }

    private func store() throws(DownloadFailure) -> DeviceStore {
        do throws(FileError) {
            return try DeviceStore(folder: app.folder, files: app.environment.files)
        } catch {
            let message = "Could not create directory for model storage. \(error.message)"
            throw DownloadFailure(.storeFailed, message, error: .internalError(description: message))
        }
    }

    private func mapped<Value>(_ body: () throws(FileError) -> Value) throws(DownloadFailure) -> Value {
        do throws(FileError) {
            return try body()
        } catch {
            throw DownloadFailure(.storeFailed, error.message, error: .internalError(description: error.message))
        }
    }
}

import Foundation
import HearthApp
import HearthArguments
import HearthDelivery
import HearthLocalCommands

/// Fetches models as an app would, for commands that wait.
struct DeviceClient {
    private let app: FirebaseApp
    private let downloader: ModelDownloader

    /// - Parameter chosenConfig: What the user named; nil for what the environment names, else where a server puts it.
    init(chosenConfig: String?, maxBytesPerSecond: UInt64? = nil) throws {
        let environment = ProcessInfo.processInfo.environment
        if chosenConfig == nil, AppConfigVariable.isFormer(environment) {
            UsageNotes.add([FormerName.note(AppConfigVariable.formerName, now: AppConfigVariable.name)])
        }
        try self.init(
            config: chosenConfig ?? AppConfigVariable.path(environment)
                ?? "hearth-data/credentials/GoogleService-Info.plist")
        downloader.settings.maxBytesPerSecond = maxBytesPerSecond
    }

    init(config path: String) throws {
        guard FileManager.default.fileExists(atPath: path) else {
            throw CommandFailure(
                """
                There is no configuration at \(path). Start `hearth serve` here, or name the file that the server \
                wrote with --app-config or \(AppConfigVariable.name).
                """)
        }
        guard let options = FirebaseOptions(quietlyReading: path) else {
            throw CommandFailure("\(path) is not a GoogleService-Info.plist.")
        }
        if let url = ProcessInfo.processInfo.environment["HEARTH_SERVER_URL"] { options.serverURL = url }
        if FirebaseApp.registered() == nil {
            guard FirebaseApp.isAppID(options.googleAppID) else {
                throw CommandFailure("\(path) has no valid GOOGLE_APP_ID.")
            }
            FirebaseApp.configure(options: options)
        }
        guard let app = FirebaseApp.registered() else { throw CommandFailure("The app could not be configured.") }
        self.app = app
        downloader = ModelDownloader.modelDownloader(app: app)
    }

    /// Changes what the server is told of this device.
    func describe(_ options: DescriptionOptions) throws { try options.apply(to: &app.deviceDescription) }

    /// The newest published version; blocks until it is there.
    func fetch(_ name: String, progress: (any ProgressReporter)? = nil) throws(FetchFailure) -> CustomModel {
        defer { progress?.finish() }
        do throws(DownloadFailure) {
            return try downloader.latestModel(name: name) { progress?.update(completed: $0, total: $1) }
        } catch {
            throw FetchFailure(error, modelName: name)
        }
    }

    /// The copy on this device, without asking the server; nil when there is none.
    func installed(_ name: String) throws -> CustomModel? {
        try downloader.installedModel(name: name)
    }

    /// Every model on this device, by name.
    func list() throws(FetchFailure) -> [InstalledCopy] {
        do throws(DownloadFailure) {
            return try downloader.installedCopies().sorted { $0.model.name < $1.model.name }
        } catch {
            throw FetchFailure(error)
        }
    }

    /// False when there is no such model.
    func delete(_ name: String) throws(FetchFailure) -> Bool {
        do throws(DownloadFailure) {
            return try downloader.removeModel(name: name)
        } catch {
            throw FetchFailure(error)
        }
    }

    /// Deletes what nothing needs any more; how many files that were.
    func collect() throws(FetchFailure) -> Int {
        do throws(DownloadFailure) {
            return try downloader.collectGarbage()
        } catch {
            throw FetchFailure(error)
        }
    }
}

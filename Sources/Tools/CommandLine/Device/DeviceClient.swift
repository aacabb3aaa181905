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
        if chosenConfig == nil, ConfigFileVariable.usesDeprecatedName(environment) {
            UsageNotes.add([FormerName.note(ConfigFileVariable.deprecatedName, now: ConfigFileVariable.name)])
        }
        try self.init(
            config: chosenConfig ?? ConfigFileVariable.path(environment)
                ?? "hearth-data/credentials/GoogleService-Info.plist")
        downloader.settings.maxBytesPerSecond = maxBytesPerSecond
    }

    init(config path: String) throws {
        guard FileManager.default.fileExists(atPath: path) else {
            throw CommandFailure(
                """
                There is no configuration at \(path). Start `hearth serve` here, or name the file that the server \
                wrote with --app-config or \(ConfigFileVariable.name).
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
    func setDescription(_ options: DescriptionOptions) throws { try options.apply(to: &app.deviceDescription) }

    /// The newest published version; blocks until it is there.
    func download(_ name: String, progress: (any ProgressReporter)? = nil) throws(DownloadCommandFailure) -> CustomModel
    {
        defer { progress?.finish() }
        do throws(DownloadFailure) {
            return try downloader.latestModel(name: name) { progress?.update(completed: $0, total: $1) }
        } catch {
            throw DownloadCommandFailure(error, modelName: name)
        }
    }

    /// The copy on this device, without asking the server; nil when there is none.
    func installed(_ name: String) throws -> CustomModel? {
        try downloader.installedModel(name: name)
    }

    /// Every model on this device, by name.
    func list() throws(DownloadCommandFailure) -> [InstalledCopy] {
        do throws(DownloadFailure) {
            return try downloader.installedCopies().sorted { $0.model.name < $1.model.name }
        } catch {
            throw DownloadCommandFailure(error)
        }
    }

    /// False when there is no such model.
    func delete(_ name: String) throws(DownloadCommandFailure) -> Bool {
        do throws(DownloadFailure) {
            return try downloader.removeModel(name: name)
        } catch {
            throw DownloadCommandFailure(error)
        }
    }

    /// Deletes what nothing needs any more; how many files that were.
    func collectGarbage() throws(DownloadCommandFailure) -> Int {
        do throws(DownloadFailure) {
            return try downloader.collectGarbage()
        } catch {
            throw DownloadCommandFailure(error)
        }
    }
}

/// A model that could not be had: one line for the user.
struct DownloadCommandFailure: CodedError, CustomStringConvertible {
    let failure: DownloadFailure
    /// nil when no single model is meant.
    var modelName: String?

    init(_ failure: DownloadFailure, modelName: String? = nil) {
        self.failure = failure
        self.modelName = modelName
    }

    var description: String {
        switch (failure.code, modelName) {
        case (.notFound, let name?):
            "There is no published model '\(name)' on the server, or no release of it is for this device. "
                + "`hearth models list` and `hearth releases list \(name)` show what there is."
        case (.permissionDenied, _):
            "The server refused this device: \(failure.message)"
        default: failure.message
        }
    }

    /// The failure's own code as the server writes such words: `NOT_FOUND` for `notFound`.
    var reportedCode: String {
        var code = ""
        var isAfterSmall = false
        for letter in failure.code.rawValue {
            if letter.isUppercase && isAfterSmall { code += "_" }
            isAfterSmall = letter.isLowercase
            code += letter.uppercased()
        }
        return code
    }

    /// Whether the copy on this device may be used instead. Not after an answer that says no, nor when there was nothing to ask.
    var mayUseInstalledCopy: Bool {
        let answers: [DownloadFailure.Code] = [
            .notFound, .permissionDenied, .invalidArgument, .notConfigured, .unusable,
        ]
        return !answers.contains(failure.code)
    }
}

/// Hosted models, fetched as a device would.
enum DownloadedModels: HostedModelSource {
    /// When it cannot be fetched now, the installed copy is used, and a note says so.
    static func path(of model: String, config: String?) throws -> String {
        let client: DeviceClient
        do {
            client = try DeviceClient(chosenConfig: config)
        } catch {
            throw CommandFailure("There is no file or folder \(model), and no server to ask: \(error)")
        }
        do throws(DownloadCommandFailure) {
            return try client.download(model, progress: ProgressBar(label: "Fetching \(model)")).path
        } catch {
            guard error.mayUseInstalledCopy, let installed = try? client.installed(model) else { throw error }
            Output.note("note: using the copy on this device: \(error)")
            return installed.path
        }
    }
}

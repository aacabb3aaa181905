import Foundation
import HearthApp
import HearthArguments
import HearthDelivery
import HearthLocalCommands
import HearthManagementCommands

/// Downloads models as an app does, for commands that wait.
struct DeviceClient {
    private let app: FirebaseApp
    private let downloader: ModelDownloader

    /// - Parameter chosenConfig: The file from the command line; nil for that from the environment, else the file that a server
    ///   writes.
    init(chosenConfig: String?, maxBytesPerSecond: UInt64? = nil) throws {
        let environment = ProcessInfo.processInfo.environment
        if chosenConfig == nil, (environment[ConfigFileVariable.name] ?? "").isEmpty {
            try RenamedVariables.check(environment)
        }
        try self.init(
            config: chosenConfig ?? ConfigFileVariable.path(environment)
                ?? "hearth-data/credentials/GoogleService-Info.plist")
        downloader.settings.maxBytesPerSecond = maxBytesPerSecond
    }

    init(config path: String) throws {
        // A file in a folder that this user may not enter is there, and cannot be opened.
        guard access(path, F_OK) == 0 || errno != ENOENT else {
            throw CommandFailure(
                """
                There is no app configuration file at \(path). Start `hearth serve` here, or name the file that the server \
                wrote with --app-config or \(ConfigFileVariable.name).
                """)
        }
        guard let options = try FirebaseOptions(quietlyReading: path) else {
            throw CommandFailure("\(path) is not a GoogleService-Info.plist: it names no GOOGLE_APP_ID.")
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

    /// Changes the description of this device that the server gets.
    func setDescription(_ options: DescriptionOptions) throws { try options.apply(to: &app.deviceDescription) }

    /// The newest published version. Blocks until it is on this device.
    func download(_ name: String, progress: (any ProgressReporter)? = nil) throws(DownloadCommandFailure) -> CustomModel
    {
        defer { progress?.finish() }
        do throws(DownloadFailure) {
            return try downloader.latestModel(name: name) { progress?.update(completed: $0, total: $1) }
        } catch {
            throw DownloadCommandFailure(error, modelName: name)
        }
    }

    /// The copy on this device, without a call to the server; nil without one.
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

    /// False if there is no such model.
    func delete(_ name: String) throws(DownloadCommandFailure) -> Bool {
        do throws(DownloadFailure) {
            return try downloader.removeModel(name: name)
        } catch {
            throw DownloadCommandFailure(error)
        }
    }

    /// Deletes files that no record of the store names. Returns how many.
    func collectGarbage() throws(DownloadCommandFailure) -> Int {
        do throws(DownloadFailure) {
            return try downloader.collectGarbage()
        } catch {
            throw DownloadCommandFailure(error)
        }
    }
}

/// A failed download: one line for the user.
struct DownloadCommandFailure: CodedError, CustomStringConvertible {
    let failure: DownloadFailure
    /// Nil if the failure concerns no single model.
    var modelName: String?

    init(_ failure: DownloadFailure, modelName: String? = nil) {
        self.failure = failure
        self.modelName = modelName
    }

    var description: String {
        switch (failure.code, modelName) {
        case (.notFound, let name?):
            "There is no published model '\(name)' on the server, or no release of it reaches this device. "
                + "`hearth models list` and `hearth releases list \(name)` list them."
        case (.fileMissing, let name?):
            "The server gives this device a version of '\(name)', but has lost its file. Push the same file again; "
                + "`hearth admin verify` lists what else is missing."
        case (.permissionDenied, _):
            "The server refused this device: \(failure.message)"
        default: failure.message
        }
    }

    /// The failure's own code in the server's form: `NOT_FOUND` for `notFound`.
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

    /// Whether the copy on this device may be used instead. Not after a refusal, and not if there was no server to ask.
    var mayUseInstalledCopy: Bool {
        let answers: [DownloadFailure.Code] = [
            .notFound, .permissionDenied, .invalidArgument, .notConfigured, .unusable,
        ]
        return !answers.contains(failure.code)
    }
}

/// Models on the server, downloaded as a device does.
package enum DownloadedModels: HostedModelSource {
    /// If the download fails now, uses the installed copy, and says so.
    package static func path(of model: String, config: String?) throws -> String {
        let client: DeviceClient
        do {
            client = try DeviceClient(chosenConfig: config)
        } catch {
            throw CommandFailure("There is no file or folder \(model), and the download failed: \(error)", cause: error)
        }
        do throws(DownloadCommandFailure) {
            return try client.download(model, progress: ProgressBar(label: "Downloading \(model)")).path
        } catch {
            guard error.mayUseInstalledCopy, let installed = try? client.installed(model) else { throw error }
            Output.note("note: using the copy on this device: \(error)")
            return installed.path
        }
    }
}

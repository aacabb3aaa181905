import Foundation
import HearthApp
import HearthClient
import HearthDelivery
import HearthDeliveryTesting
import HearthEvents
import HearthFiles
import HearthModelSource
import HearthWire

/// An app with a store in a folder and a server in memory, for programs that are killed.
struct GuardedApp {
    static let modelName = "guarded"

    let host = ModelHost()
    let app: FirebaseApp

    var downloader: ModelDownloader { .modelDownloader(app: app) }

    init(storeFolder: String) {
        let options = FirebaseOptions(googleAppID: "1:1234567890:ios:0123456789abcdef", gcmSenderID: "1234567890")
        options.apiKey = "A" + String(repeating: "k", count: 38)
        options.projectID = "demo"
        options.bundleID = "com.example.guarded"
        options.serverURL = host.serverURL
        let environment = DeviceEnvironment(
            transport: host.transport, files: DiskFiles(), storeFolder: storeFolder, clock: SystemClock())
        app = FirebaseApp.configure(name: "guarded", options: options, environment: environment)
        app.callbackQueue = DispatchQueue(label: "callbacks")
    }

    /// Installs the version whose file contains this text.
    func install(_ text: String) async throws {
        host.publish(Data(text.utf8), as: Self.modelName)
        _ = try await downloader.getModel(name: Self.modelName, downloadType: .latestModel)
    }

    /// The installed version; nil for none.
    func installed() async throws -> CustomModel? {
        try await downloader.listDownloadedModels().first { $0.name == Self.modelName }
    }

    /// What the server has heard about the health of versions in this process.
    var health: [String] {
        host.eventItems.compactMap(\.health).map { "\($0.crashes ?? [:]) rejected \($0.rejected ?? 0)" }
    }

    /// The text of the file; `none` without one.
    func text() async throws -> String {
        guard let model = try await installed() else { return "none" }
        return try String(contentsOfFile: model.path, encoding: .utf8)
    }
}

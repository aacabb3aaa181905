import Dispatch
import EndToEndDriving
import Foundation
import HearthApp
import HearthCrypto
import HearthDelivery
import HearthEvents
import HearthModelSource
import HearthRemoteConfig
import HearthTestSupport
import HearthVision
import Synchronization
import Testing

/// An app on a device of its own, with all of the device library, against a real server.
final class AppOnDevice: Sendable {
    /// The name of the app that labelers and interpreters look for models in.
    static let defaultName = "__FIRAPP_DEFAULT"

    private let name: String
    private let deviceFile: String
    private let storeFolder: String
    private let line: FaultyTransport
    private let running: Mutex<FirebaseApp>

    init(_ server: ServerProcess, _ line: FaultyTransport, name: String) throws {
        self.name = name
        self.line = line
        deviceFile = server.deviceFile
        storeFolder = server.data.path + "/device-of-\(name)"
        running = Mutex(try Self.start(name, deviceFile, storeFolder, line))
    }

    var app: FirebaseApp { running.withLock { $0 } }
    var models: ModelDownloader { .modelDownloader(app: app) }
    var analytics: Analytics { .analytics(app: app) }

    /// Asks the server each time.
    var config: RemoteConfig {
        let config = RemoteConfig.remoteConfig(app: app)
        let settings = RemoteConfigSettings()
        settings.minimumFetchInterval = 0
        config.configSettings = settings
        return config
    }

    /// Its name in exported data and logs.
    var installation: String {
        get throws {
            let id = try #require(analytics.appInstanceID())
            return "device:" + SHA256Hasher.hash(id.utf8).hex.prefix(12)
        }
    }

    /// Ends the app, and starts it again with what is on the disk.
    func restart() async throws {
        await app.delete()
        let next = try Self.start(name, deviceFile, storeFolder, line)
        running.withLock { $0 = next }
    }

    func end() async { await app.delete() }

    func logContent(times count: Int) {
        for _ in 0..<count { analytics.logEvent("content", parameters: [AnalyticsParameterValue: 1]) }
    }

    /// The digit that the model sees in the sample image, which shows a 7.
    static func label(with model: CustomModel) async throws -> Int {
        let labeler = ImageLabeler.imageLabeler(
            options: CustomImageLabelerOptions(localModel: LocalModel(path: model.path)))
        return try await label(with: labeler)
    }

    static func label(with labeler: ImageLabeler) async throws -> Int {
        let labels = try await labeler.process(VisionImage(contentsOfFile: SampleModels.image))
        return try #require(labels.first).index
    }

    private static func start(
        _ name: String, _ deviceFile: String, _ storeFolder: String, _ line: FaultyTransport
    ) throws -> FirebaseApp {
        // The file is written anew when the server starts on another port; the line knows where it is.
        let options = try #require(FirebaseOptions(contentsOfFile: deviceFile))
        var environment = DeviceEnvironment.system(options)
        environment.transport = line
        environment.storeFolder = storeFolder
        // A device waits for up to three seconds before it fetches what it heard of, so that not all come at once.
        environment.random = { 0 }
        let app = FirebaseApp.configure(name: name, options: options, environment: environment)
        app.callbackQueue = DispatchQueue(label: "app.\(name)")
        return app
    }
}

/// Devices with one app each, which do things side by side.
struct Fleet: Sendable {
    let devices: [AppOnDevice]

    init(_ server: ServerProcess, _ line: FaultyTransport, count: Int = 12) throws {
        devices = try (0..<count).map { try AppOnDevice(server, line, name: "device-\($0)") }
    }

    /// What each device answers, by its installation's id at the end.
    func each<Value: Sendable>(
        _ body: @escaping @Sendable (AppOnDevice, _ index: Int) async throws -> Value
    ) async throws -> [String: Value] {
        try await withThrowingTaskGroup(of: (String, Value).self) { group in
            for (index, device) in devices.enumerated() {
                group.addTask {
                    let value = try await body(device, index)
                    return (try device.installation, value)
                }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }

    func end() async {
        for device in devices { await device.end() }
    }
}

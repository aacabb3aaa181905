import Dispatch
import Foundation
import HearthApp
import HearthCrypto
import HearthDeliveryTesting
import HearthFiles
import HearthTestSupport
import HearthWire

@testable import HearthDelivery

/// A device with one app: its own store, clock, network, and server. Deletes the app with itself.
final class TestDevice: Sendable {
    let folder: TemporaryFolder
    let host: ModelHostSimulator
    let app: FirebaseApp
    let downloader: ModelDownloader

    let clock = FakeClock()

    /// - Parameters:
    ///   - name: programs with the same app name and id share a store.
    ///   - folder: the store of another device, to share it.
    init(
        name: String = "delivery-\(UUID().uuidString)", folder: TemporaryFolder? = nil,
        files: any FileOperations = DiskFiles(), change: (FirebaseOptions) -> Void = { _ in }
    ) throws {
        self.folder = try folder ?? TemporaryFolder()
        host = ModelHostSimulator { [clock] in clock.now() }
        let options = FirebaseOptions(googleAppID: "1:1234567890:ios:0123456789abcdef", gcmSenderID: "1234567890")
        options.apiKey = "A" + String(repeating: "k", count: 38)
        options.projectID = "demo"
        options.bundleID = "app.example"
        options.serverURL = ModelHostSimulator.url
        change(options)
        app = FirebaseApp.configure(
            name: name, options: options,
            environment: DeviceEnvironment(
                transport: host, files: files, storeFolder: self.folder.path, clock: clock, random: { 0.5 }))
        app.callbackQueue = DispatchQueue(label: "callbacks")
        downloader = ModelDownloader.modelDownloader(app: app)
    }

    deinit { app.delete { _ in } }

    func wait(seconds: Int64) { clock.advance(bySeconds: Double(seconds)) }

    func get(_ name: String = "digits", _ type: ModelDownloadType = .latestModel) async throws -> CustomModel {
        try await downloader.getModel(name: name, downloadType: type)
    }

    /// The error of the call; nil when it gave a model.
    func error(_ name: String = "digits", _ type: ModelDownloadType = .latestModel) async -> DownloadError? {
        do {
            _ = try await get(name, type)
            return nil
        } catch {
            return error as? DownloadError
        }
    }

    /// `app.folder/below`
    func path(_ below: String) -> String { app.folder + "/" + below }

    /// Every file of the store but locks and the installation's record.
    func storedFiles() throws -> [String] {
        try ["models", "files"].flatMap { try DiskFiles().list(path($0)) }.filter { !$0.hasSuffix(".lock") }
    }
}

/// The bytes of models that need not run.
enum Sample {
    static let v1 = [UInt8]("the first version of the model".utf8)
    static let v2 = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    static let v3 = [UInt8]("third".utf8)

    static func hash(_ bytes: [UInt8]) -> String { SHA256Hasher.hash(bytes).hex }
}

extension CustomModel {
    /// What a program reads that opens the path now; nil when it cannot.
    var contents: [UInt8]? { FileManager.default.contents(atPath: path).map(Array.init) }
}

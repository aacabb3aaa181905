import Foundation
import HearthDeliveryTesting
import HearthDeviceTestSupport
import HearthFiles
import HearthTestSupport
import HearthTransport
import HearthWire
import Synchronization

@testable import HearthApp

/// A device with one app: its own store folder, clock and network.
final class TestDevice: Sendable {
    static let start = Timestamp(rfc3339: "2026-01-01T00:00:00Z")!.seconds

    let folder: TemporaryFolder
    let transport: ScriptedTransport
    let clock = FakeClock(secondsSince1970: Double(TestDevice.start))

    init(_ transport: ScriptedTransport = InstallationServer().transport()) throws {
        folder = try TemporaryFolder()
        self.transport = transport
    }

    var nowSeconds: Int64 { clock.now().seconds }

    func wait(seconds: Int64) { clock.advance(bySeconds: Double(seconds)) }

    func environment(files: any FileOperations = DiskFiles()) -> DeviceEnvironment {
        DeviceEnvironment(
            transport: transport, files: files, storeFolder: folder.path, clock: clock, random: { 0.5 })
    }

    static func options() -> FirebaseOptions { TestOptions.options(server: "models.example.com") }

    func client(
        _ options: FirebaseOptions = TestDevice.options(), files: any FileOperations = DiskFiles(),
        didChange: @escaping @Sendable () -> Void = {}
    ) -> InstallationClient {
        InstallationClient(
            folder: folder.path + "/app", options: options, environment: environment(files: files),
            didChange: didChange)
    }

    var recordPath: String { folder.path + "/app/" + InstallationRecord.fileName }
}

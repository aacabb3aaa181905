import Foundation
import HearthApp
import HearthDeliveryTesting
import HearthDeviceTestSupport
import HearthFiles
import HearthTestSupport

@testable import HearthEvents

/// A device with one app: its own folder, clock and server.
final class TestDevice: Sendable {
    let folder: TemporaryFolder
    let server = EventServer()
    let clock = FakeClock(secondsSince1970: 1_767_225_600)
    private let name = "events-\(UUID().uuidString)"

    init() throws { folder = try TemporaryFolder() }

    static func options() -> FirebaseOptions { TestOptions.options(server: "events.example.com") }

    /// Starts the app; after a deletion, it starts again with the files on the disk.
    func start(
        _ options: FirebaseOptions = TestDevice.options(), files: any FileOperations = DiskFiles(), name: String? = nil
    ) -> FirebaseApp {
        let environment = DeviceEnvironment(
            transport: server, files: files, storeFolder: folder.path, clock: clock, random: { 0.5 })
        return FirebaseApp.configure(name: name ?? self.name, options: options, environment: environment)
    }

    func analytics() -> Analytics { Analytics.analytics(app: start()) }

    /// Simulates a new process.
    func restarted(_ analytics: Analytics) async -> Analytics {
        await stop(analytics)
        return self.analytics()
    }

    /// Ends the app when everything is written.
    func stop(_ analytics: Analytics) async {
        await analytics.app.delete()
        await analytics.settled()
    }

    /// Lets the time until a batch is sent pass.
    func wait(_ analytics: Analytics, seconds: Double = EventSender.batchSeconds) async {
        await analytics.settled()
        clock.advance(bySeconds: seconds)
        await analytics.settled()
    }

    func segments(_ app: FirebaseApp) throws -> [SegmentName] { try JournalFolder(app: app).names() }
}

extension Analytics {
    /// Waits until all started work has ended.
    func settled() async {
        await log.writer.work.settled()
        await log.sender.network.settled()
        await log.writer.work.settled()
    }
}

extension DispatchQueue {
    func settled() async {
        await withCheckedContinuation { continuation in async { continuation.resume() } }
    }
}

public import Dispatch
import Foundation
public import HearthApp
public import HearthDelivery
package import HearthFiles
import Synchronization

/// A device with one app on it: its own store in a temporary folder, connected to a ``ModelHost`` in memory.
///
/// Everything that the app's code does with ``app`` and ``downloader`` is real, but for the network, the clock and the disk. The
/// app is deleted with this object, and the folder with the last device that uses it.
public final class TestDevice: Sendable {
    public let host: ModelHost
    public let clock: FakeClock
    /// The disk that the store is on.
    public let disk: TestDisk
    public let app: FirebaseApp
    private let folder: StoreFolder

    /// The app's.
    public var downloader: ModelDownloader { .modelDownloader(app: app) }

    /// - Parameters:
    ///   - host: Its server; several devices may have the same.
    ///   - clock: The host's when it is left out. Another one goes wrong where the host's goes right.
    ///   - name: The app's; a new one when it is left out. For the default app see `isDefaultApp`.
    ///   - isDefaultApp: Makes the app that `FirebaseApp.app()`, `ModelDownloader.modelDownloader()`,
    ///     `ModelManager.modelManager()` and the remote models of labelers, detectors and interpreters use. There can be one at a
    ///     time: run such tests one after the other (`@Suite(.serialized)`).
    ///   - other: A device whose store this one shares, as a second process of the same app does. With the name of the other's
    ///     app, or as the default app like it, this one takes its place instead, as after a restart: the other app is deleted.
    ///   - callbackQueue: Where the app is called back; a serial queue of its own when it is left out, since the main queue does
    ///     not run in every test program.
    ///   - change: Changes the app's options before they are used.
    /// - Throws: ``TestDeviceError``.
    public convenience init(
        host: ModelHost = ModelHost(), clock: FakeClock? = nil, name: String? = nil, isDefaultApp: Bool = false,
        sharingStoreOf other: TestDevice? = nil, callbackQueue: DispatchQueue? = nil,
        options change: (FirebaseOptions) -> Void = { _ in }
    ) throws(TestDeviceError) {
        try self.init(
            host: host, clock: clock, name: isDefaultApp ? TestApp.defaultName : name, sharingStoreOf: other,
            callbackQueue: callbackQueue, files: DiskFiles(), options: change)
    }

    /// - Parameter files: What the disk does when it does not fail.
    package init(
        host: ModelHost = ModelHost(), clock: FakeClock? = nil, name: String? = nil,
        sharingStoreOf other: TestDevice? = nil, callbackQueue: DispatchQueue? = nil, files: any FileOperations,
        options change: (FirebaseOptions) -> Void = { _ in }
    ) throws(TestDeviceError) {
        self.host = host
        self.clock = clock ?? host.clock
        disk = TestDisk()
        do {
            folder = try other?.folder ?? StoreFolder()
        } catch {
            throw TestDeviceError(.noFolder, "Cannot make a temporary folder: \(error.localizedDescription)")
        }
        let options = TestApp.options(serverURL: host.serverURL)
        change(options)
        let environment = DeviceEnvironment(
            transport: host.transport, files: TestFiles(base: files, disk: disk), storeFolder: folder.path,
            clock: self.clock, random: { 0.5 })
        app = try TestApp.configure(
            name ?? "test-\(UUID().uuidString)", options, environment, takingOver: other?.app)
        if let other, other.app.folder != app.folder {
            do {
                try folder.link(app.folder, to: other.app.folder)
            } catch {
                throw TestDeviceError(.noFolder, "Cannot share the store: \(error.localizedDescription)")
            }
        }
        app.callbackQueue = callbackQueue ?? DispatchQueue(label: "app.hearth.test-callbacks")
    }

    deinit { app.delete { _ in } }
}

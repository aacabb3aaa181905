public import Dispatch
public import Foundation
public import HearthApp
import HearthConcurrency
public import HearthDelivery
package import HearthFiles

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

/// Why there is no ``TestDevice``.
public struct TestDeviceError: LocalizedError, Sendable, CustomStringConvertible {
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// There is an app of that name already.
        public static let appExists = Code(rawValue: "appExists")
        /// The name is empty, or has characters that names of apps cannot have.
        public static let badName = Code(rawValue: "badName")
        /// No temporary folder could be made.
        public static let noFolder = Code(rawValue: "noFolder")
    }

    public let code: Code
    /// One line: what is wrong and what to do.
    public let message: String

    public var description: String { message }
    public var errorDescription: String? { message }

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

/// Configures the apps of test devices, without the traps that misuse by an app's programmer would be.
enum TestApp {
    static let defaultName = "__FIRAPP_DEFAULT"

    /// Between looking for a name and taking it.
    private static let registrationLock = Lock(())

    static func options(serverURL: String) -> FirebaseOptions {
        let options = FirebaseOptions(googleAppID: "1:1234567890:ios:0123456789abcdef", gcmSenderID: "1234567890")
        options.apiKey = "A" + String(repeating: "k", count: 38)
        options.projectID = "demo"
        options.bundleID = "app.example"
        options.serverURL = serverURL
        return options
    }

    static func configure(
        _ name: String, _ options: FirebaseOptions, _ environment: DeviceEnvironment, takingOver other: FirebaseApp?
    ) throws(TestDeviceError) -> FirebaseApp {
        guard name.wholeMatch(of: /[A-Za-z0-9_-]+/) != nil else {
            throw TestDeviceError(.badName, "'\(name)' is not a valid app name: use letters, digits, - and _")
        }
        let app: FirebaseApp? = registrationLock.withLock { _ in
            if let other, other.name == name { other.delete { _ in } }
            guard FirebaseApp.registered(name) == nil else { return nil }
            return FirebaseApp.configure(name: name, options: options, environment: environment)
        }
        if let app { return app }
        throw TestDeviceError(
            .appExists,
            name == defaultName
                ? "There is a default app already: one test at a time can have it (@Suite(.serialized))"
                : "There is an app named '\(name)' already: take another name, or none")
    }
}

/// A temporary folder, deleted with the last device that stores in it.
final class StoreFolder: Sendable {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("hearth-device-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    /// Makes `path` another name of the folder `target`, which is made if there is none. Both lie in this one.
    func link(_ path: String, to target: String) throws {
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

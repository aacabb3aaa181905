public import Dispatch
public import Foundation
public import HearthApp
import HearthConcurrency
public import HearthDelivery
package import HearthFiles

/// A device with one app, which has its own store in a temporary folder and is connected to a ``ModelHost`` in memory.
///
/// The app's code uses the real ``app`` and ``downloader``; only the network, the clock and the disk are replaced.
/// Releasing this object deletes the app. Releasing the last device that uses the folder deletes the folder.
public final class TestDevice: Sendable {
    /// The device's server.
    public let host: ModelHost
    /// The device's clock.
    public let clock: FakeClock
    /// The disk with the device's store.
    public let disk: TestDisk
    /// The device's app.
    public let app: FirebaseApp
    private let folder: StoreFolder

    /// The app's model downloader.
    public var downloader: ModelDownloader { .modelDownloader(app: app) }

    /// Makes a device and configures its app.
    ///
    /// - Parameters:
    ///   - host: The device's server; several devices may share one.
    ///   - clock: The device's clock; by default that of the host. With another one, the device's time may differ from
    ///     the host's.
    ///   - name: The app's name; a new one by default. For the default app see `isDefaultApp`.
    ///   - isDefaultApp: Makes the app that `FirebaseApp.app()`, `ModelDownloader.modelDownloader()`,
    ///     `ModelManager.modelManager()` and the remote models of labelers, detectors and interpreters use. Only one
    ///     can exist at a time: run such tests one after the other (`@Suite(.serialized)`).
    ///   - other: A device whose store this one shares, as a second process of the same app does. If both apps have the
    ///     same name, or both are the default app, this one replaces the other, as after a restart: the other app is
    ///     deleted.
    ///   - callbackQueue: The queue of the app's callbacks; a separate serial queue by default, because the main queue
    ///     does not run in every test program.
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

    /// Makes a device on other file operations.
    ///
    /// - Parameter files: The operations of the disk while it does not fail.
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

/// Why a ``TestDevice`` cannot be made.
public struct TestDeviceError: LocalizedError, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code's name.
        public let rawValue: String
        /// Makes a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// An app of this name exists already.
        public static let appExists = Code(rawValue: "appExists")
        /// The name is empty, or has characters that an app's name cannot have.
        public static let badName = Code(rawValue: "badName")
        /// A temporary folder cannot be made.
        public static let noFolder = Code(rawValue: "noFolder")
    }

    /// The kind of failure.
    public let code: Code
    /// One line: what is wrong and what to do.
    public let message: String

    /// The error as text: ``message``.
    public var description: String { message }
    /// What `localizedDescription` returns: ``message``.
    public var errorDescription: String? { message }

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

/// Configures the apps of test devices, and throws where misuse by an app's programmer would end the process.
enum TestApp {
    static let defaultName = "__FIRAPP_DEFAULT"

    /// Held between the check of a name and its registration.
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
                ? "A default app exists already: only one test at a time can have it (@Suite(.serialized))"
                : "An app named '\(name)' exists already: pass another name, or none")
    }
}

/// A temporary folder, which is deleted with the last device that uses it.
final class StoreFolder: Sendable {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("hearth-device-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    /// Makes `path` another name of the folder `target`, and creates `target` if it is missing. Both are in this
    /// folder.
    func link(_ path: String, to target: String) throws {
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

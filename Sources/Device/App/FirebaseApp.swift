public import Dispatch
public import Foundation
package import HearthClient
import HearthConcurrency
import HearthFiles
import HearthWire

/// An app's connection to its project: options, store folder and installation identity.
///
/// Configure once at start, then use it from any thread. As in Google's library, misuse by the programmer (configuring
/// twice, no options) ends the process; nothing else does.
public final class FirebaseApp: NSObject, Sendable {
    /// The name of the app that `configure()` and `configure(options:)` make.
    static let defaultName = "__FIRAPP_DEFAULT"

    public let name: String
    package let environment: DeviceEnvironment
    /// The way to the app's server.
    package let server: Result<ServerClient, MissingOptions>
    private let values: OptionValues
    private let mutableQueue = Lock(CallbackQueue(.main))
    private let mutableDescription: Lock<DeviceDescription>
    private let services = AppServices()
    private let dataCollection: DataCollectionSwitch
    private let dataCollectionObservers = Lock<[@Sendable () -> Void]>([])

    private init(name: String, values: OptionValues, environment: DeviceEnvironment) {
        self.name = name
        self.environment = environment
        self.values = values
        server = Result { () throws(MissingOptions) in
            ServerClient(
                address: try FirebaseOptions(values, isLocked: true).serverAddress(),
                transport: environment.transport, clock: environment.clock)
        }
        mutableDescription = Lock(environment.description)
        dataCollection = DataCollectionSwitch(
            folder: Self.folder(name, values, environment), files: environment.files)
    }

    /// Where completions and progress of this app's objects are called; the main queue by default. On Linux the main
    /// queue only runs in programs that call `dispatchMain()` or run a run loop. The calls come one at a time and in order on
    /// any queue, a concurrent one included; set it before the first call whose order matters.
    public var callbackQueue: DispatchQueue {
        get { mutableQueue.withLock { $0.chosen } }
        set { mutableQueue.withLock { $0 = CallbackQueue(newValue) } }
    }

    /// A serial queue on top of ``callbackQueue``: what is called back goes here.
    package var serialCallbackQueue: DispatchQueue { mutableQueue.withLock { $0.serial } }

    /// A copy of the options, for reading: changing one of its properties ends the process.
    public var options: FirebaseOptions { FirebaseOptions(values, isLocked: true) }

    /// Whether the app's own parts may collect data: what was set here, else `FirebaseDataCollectionDefaultEnabled` in
    /// `Info.plist`, else true. What is set outlives the process, until the app is deleted. With false, the server is not told
    /// the user's language and country, and no events or exposures are collected unless
    /// `Analytics.setAnalyticsCollectionEnabled(_:)` says otherwise. Reads a small file at first.
    public var isDataCollectionDefaultEnabled: Bool {
        get { dataCollection.isOn }
        set {
            dataCollection.isOn = newValue
            for observer in dataCollectionObservers.withLock({ $0 }) { observer() }
        }
    }

    /// Calls `observer` on the thread that sets ``isDataCollectionDefaultEnabled``, after it is set, as long as the app lives.
    package func whenDataCollectionChanges(_ observer: @escaping @Sendable () -> Void) {
        dataCollectionObservers.withLock { $0.append(observer) }
    }

    /// What this app tells its server, and nobody else, when it asks for a model or a configuration: see ``DeviceDescription``. At first the main
    /// bundle's version (`CFBundleShortVersionString`), the operating system, and language and country of the user's
    /// settings, as they were when the app was configured. A change counts from the next question on; of two threads that change it at the
    /// same time, one's change may be lost.
    public var deviceDescription: DeviceDescription {
        get { mutableDescription.withLock { $0 } }
        set { mutableDescription.withLock { $0 = newValue } }
    }

    /// What its options' file says of events.
    package var analyticsFlags: AnalyticsFlags { values.analytics }

    /// What may be told of it now. Blocks at first, as ``isDataCollectionDefaultEnabled`` does.
    package var reportedDescription: DeviceDescription {
        isDataCollectionDefaultEnabled ? deviceDescription : deviceDescription.withoutUserData
    }

    var isDefaultApp: Bool { name == Self.defaultName }

    /// Configures the default app from `FirebaseOptions.defaultOptions()`.
    public class func configure() {
        guard let options = FirebaseOptions.defaultOptions() else {
            Misuse.stop(
                """
                `FirebaseApp.configure()` could not find a valid GoogleService-Info.plist in your project. Set \
                \(ConfigFileVariable.name) to the file that the Hearth server wrote, or call configure(options:).
                """)
        }
        configure(options: options)
    }

    /// Configures the default app. Ends the process when there is one already, or when the options' app id is none.
    public class func configure(options: FirebaseOptions) {
        configure(name: defaultName, options: options)
    }

    /// `name`: letters, digits, `_` and `-`.
    public class func configure(name: String, options: FirebaseOptions) {
        configure(name: name, options: options, environment: .system(options))
    }

    @discardableResult
    package class func configure(
        name: String, options: FirebaseOptions, environment: DeviceEnvironment
    ) -> FirebaseApp {
        guard !name.isEmpty else { Misuse.stop("Name cannot be empty.") }
        guard AppIdentifier.isName(name) else {
            Misuse.stop("App name can only contain alphanumeric, hyphen (-), and underscore (_) characters: '\(name)'")
        }
        let app = FirebaseApp(name: name, values: options.values, environment: environment)
        registry.add(app)
        AppNotifications.postReady(app, appID: options.googleAppID)
        return app
    }

    /// The default app; nil, and a line in the log, before it is configured.
    public class func app() -> FirebaseApp? {
        if let app = registered() { return app }
        AppLog.core.error(
            "I-COR000003",
            """
            The default Firebase app has not yet been configured. Add `FirebaseApp.configure()` to your application \
            initialization.
            """)
        return nil
    }

    /// nil, and a line in the log, when there is no app of this name.
    public class func app(name: String) -> FirebaseApp? {
        if let app = registered(name) { return app }
        AppLog.core.error("I-COR000004", "App with name \(name) does not exist.")
        return nil
    }

    /// The app of this name, else the default one, for code that has nothing to say when it is missing.
    package class func registered(_ name: String? = nil) -> FirebaseApp? {
        registry.apps?[name ?? defaultName]
    }

    /// Every configured app by name; nil, and a line in the log, before the first one is configured.
    public class var allApps: [String: FirebaseApp]? {
        let apps = registry.apps
        if apps == nil { AppLog.core.error("I-COR000005", "No app has been configured yet.") }
        return apps
    }

    /// Forgets the app, so that its name can be configured again. Posts `FIRAppDeleteNotification` and then calls back, on
    /// this thread before it returns, with false when the app was not registered. Models and the installation's identity
    /// stay on the disk; the data collection flag does not.
    public func delete(_ completion: @escaping (Bool) -> Void) {
        guard Self.registry.remove(self) else {
            AppLog.core.error("I-COR000007", "App does not exist.")
            return completion(false)
        }
        services.removeAll()
        dataCollection.clear()
        AppNotifications.postDeleted(self)
        completion(true)
    }

    /// ``delete(_:)`` for async code: false when the app was not registered.
    @discardableResult
    public func delete() async -> Bool {
        await withCheckedContinuation { continuation in delete { continuation.resume(returning: $0) } }
    }

    /// The one object of `type` that belongs to this app, made at the first call and dropped when the app is deleted. Of two
    /// threads that ask first, both get the same, and one's `make` was for nothing. A deleted app keeps none.
    ///
    /// - Parameter close: Called once, on the thread that deletes the app, or that asks for an object of a deleted one.
    package func service<Service: AnyObject & Sendable>(
        _ type: Service.Type, make: () -> Service, close: @escaping @Sendable (Service) -> Void = { _ in }
    ) -> Service {
        services.service(type, make: make, close: close)
    }

    /// This app's folder in the store. Programs that use the same app id share it.
    package var folder: String { Self.folder(name, values, environment) }

    private static func folder(_ name: String, _ values: OptionValues, _ environment: DeviceEnvironment) -> String {
        let id = values.googleAppID.map { $0.isLetter || $0.isNumber ? $0 : "_" }
        return FilePath.join(environment.storeFolder, "\(name)@\(String(id))")
    }

    /// Whether `text` has the form of an app id; `configure` ends the process when it has not.
    package static func isAppID(_ text: String) -> Bool { AppIdentifier.isAppID(text) }

    private static let registry = AppRegistry()
}

/// What is posted when apps come and go: on the calling thread, with the class as the object, as existing observers expect.
enum AppNotifications {
    static let ready = Notification.Name("FIRAppReadyToConfigureSDKNotification")
    static let deleted = Notification.Name("FIRAppDeleteNotification")

    private static let nameKey = "FIRAppNameKey"
    private static let isDefaultKey = "FIRAppIsDefaultAppKey"
    private static let appIDKey = "FIRGoogleAppIDKey"

    static func postReady(_ app: FirebaseApp, appID: String) {
        let info: [String: Any] = [nameKey: app.name, isDefaultKey: app.isDefaultApp, appIDKey: appID]
        NotificationCenter.default.post(name: ready, object: FirebaseApp.self, userInfo: info)
    }

    static func postDeleted(_ app: FirebaseApp) {
        NotificationCenter.default.post(name: deleted, object: FirebaseApp.self, userInfo: [nameKey: app.name])
    }
}

/// The version of Hearth, for example `0.1.0`. It says nothing about a version of Google's library.
public func FirebaseVersion() -> String { HearthVersion.text }

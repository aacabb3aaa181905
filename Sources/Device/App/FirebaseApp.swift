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

    /// The app's name.
    public let name: String
    package let environment: DeviceEnvironment
    /// Sends calls to the app's server; a failure when the options lack a value that calls need.
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

    /// The queue on which this app's objects call completions and progress; the main queue by default. On Linux, the
    /// main queue runs only in programs that call `dispatchMain()` or run a run loop. The calls come one at a time and
    /// in order, even on a concurrent queue. Set it before the first call whose order matters.
    public var callbackQueue: DispatchQueue {
        get { mutableQueue.withLock { $0.chosen } }
        set { mutableQueue.withLock { $0 = CallbackQueue(newValue) } }
    }

    /// A serial queue on top of ``callbackQueue``. All callbacks go through it.
    package var serialCallbackQueue: DispatchQueue { mutableQueue.withLock { $0.serial } }

    /// A copy of the options, for reading. Changing one of its properties ends the process.
    public var options: FirebaseOptions { FirebaseOptions(values, isLocked: true) }

    /// Whether the app's objects may collect data: the value that was set here, otherwise
    /// `FirebaseDataCollectionDefaultEnabled` in `Info.plist`, otherwise true. A value that was set also applies after
    /// a restart, until the app is deleted. With false, the server does not get the user's language and country, and no
    /// events or exposures are collected unless `Analytics.setAnalyticsCollectionEnabled(_:)` allows it. The first call
    /// reads a small file.
    public var isDataCollectionDefaultEnabled: Bool {
        get { dataCollection.isOn }
        set {
            dataCollection.isOn = newValue
            for observer in dataCollectionObservers.withLock({ $0 }) { observer() }
        }
    }

    /// Calls `observer` after each change of ``isDataCollectionDefaultEnabled``, on the thread that sets it, as long as
    /// the app exists.
    package func whenDataCollectionChanges(_ observer: @escaping @Sendable () -> Void) {
        dataCollectionObservers.withLock { $0.append(observer) }
    }

    /// What this app sends to its server, and to no other, when it requests a model or the Remote Config values: see
    /// ``DeviceDescription``. By default, it has the version of the main bundle (`CFBundleShortVersionString`), the
    /// operating system, and the language and country of the user's settings when the app was configured. A change
    /// applies from the next request on. If two threads change it at the same time, one change may be lost.
    public var deviceDescription: DeviceDescription {
        get { mutableDescription.withLock { $0 } }
        set { mutableDescription.withLock { $0 = newValue } }
    }

    /// The settings of the options' file about events.
    package var analyticsFlags: AnalyticsFlags { values.analytics }

    /// The part of the description that the app may send now. The first call reads a small file, as
    /// ``isDataCollectionDefaultEnabled`` does.
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

    /// Configures the default app. Ends the process when the default app is configured already, or when the app id of
    /// the options is malformed.
    public class func configure(options: FirebaseOptions) {
        configure(name: defaultName, options: options)
    }

    /// Configures an app with a name of letters, digits, `_` and `-`. Ends the process when the name is taken or
    /// malformed, or when the app id of the options is malformed.
    public class func configure(name: String, options: FirebaseOptions) {
        configure(name: name, options: options, environment: .system(options))
    }

    /// Configures an app in an environment that tests can choose.
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

    /// The default app; nil, with a line in the log, before it is configured.
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

    /// The app of this name; nil, with a line in the log, when no app has this name.
    public class func app(name: String) -> FirebaseApp? {
        if let app = registered(name) { return app }
        AppLog.core.error("I-COR000004", "App with name \(name) does not exist.")
        return nil
    }

    /// The app of this name, by default the default app. Writes nothing to the log when the app is missing.
    package class func registered(_ name: String? = nil) -> FirebaseApp? {
        registry.apps?[name ?? defaultName]
    }

    /// Every configured app by name; nil, with a line in the log, before the first one is configured.
    public class var allApps: [String: FirebaseApp]? {
        let apps = registry.apps
        if apps == nil { AppLog.core.error("I-COR000005", "No app has been configured yet.") }
        return apps
    }

    /// Deletes the app, so that its name can be configured again. Posts `FIRAppDeleteNotification` and then calls
    /// `completion` on this thread before it returns, with false when the app was not registered. Models and the
    /// installation's identity stay on the disk; the data collection flag does not.
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

    /// The object of `type` that belongs to this app. The first call makes it; deleting the app drops it. If two
    /// threads make the first call, both get the same object, and the other new object is dropped. A deleted app keeps
    /// no objects.
    ///
    /// - Parameter close: Called once with the object, on the thread that deletes the app, or that asks a deleted app
    ///   for an object.
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

    /// Whether `text` has the form of an app id; with any other text, `configure` ends the process.
    package static func isAppID(_ text: String) -> Bool { AppIdentifier.isAppID(text) }

    private static let registry = AppRegistry()
}

/// The notifications about new and deleted apps. They are posted on the calling thread, with the class as the object,
/// as existing observers expect.
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

/// The version of Hearth, for example `0.1.0`. It is unrelated to the versions of Google's library.
public func FirebaseVersion() -> String { HearthVersion.text }

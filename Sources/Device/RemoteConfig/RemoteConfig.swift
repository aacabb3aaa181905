public import Foundation
public import HearthApp

/// The server's namespace that apps read.
public let NamespaceGoogleMobilePlatform: String = "firebase"

/// Values that the server sets, and the app's own defaults where it sets none.
///
/// ```swift
/// let config = RemoteConfig.remoteConfig()
/// config.setDefaults(["greeting": "Hello" as NSObject])
/// config.fetchAndActivate { _, _ in print(config["greeting"].stringValue) }
/// ```
///
/// A fetch changes nothing that the app sees; activating does. What was fetched and activated is kept in the app's folder and
/// works without a connection; defaults are not kept. Use it from any thread. Completions are called on the app's
/// `callbackQueue`, except where another queue is named. Errors are `NSError`s in ``RemoteConfigErrorDomain``.
///
/// Making the object, settings and defaults wait for nothing. What is kept is read in the background; whoever asks for one of
/// its values in the moments after that waits for it. Several processes may share an app's folder: each starts with what the last of them wrote.
public final class RemoteConfig: NSObject, Sendable {
    let core: ConfigCore
    let updates: ConfigUpdates

    init(app: FirebaseApp) {
        let core = ConfigCore(app: app)
        self.core = core
        updates = ConfigUpdates(core: core)
    }

    /// Of the default app, which must be configured.
    public class func remoteConfig() -> RemoteConfig {
        guard let app = FirebaseApp.registered() else {
            Misuse.stop(
                """
                The default `FirebaseApp` instance must be configured before the default Remote Config instance can be \
                initialized. Call `FirebaseApp.configure()` first.
                """)
        }
        return remoteConfig(app: app)
    }

    /// The same object for the same app, until the app is deleted; every fetch fails after that.
    public class func remoteConfig(app: FirebaseApp) -> RemoteConfig {
        app.service(RemoteConfig.self, make: { RemoteConfig(app: app) }, close: { $0.close() })
    }

    /// A copy: assign it back after a change. Counts from the next fetch on.
    public var configSettings: RemoteConfigSettings {
        get { RemoteConfigSettings(core.settings) }
        set { core.settings = newValue.fetchSettings }
    }

    /// When the server answered last; 1970-01-01 when it never did.
    public var lastFetchTime: Date? {
        Date(timeIntervalSince1970: Double(core.withState { $0.record.lastFetchMicroseconds ?? 0 }) / 1_000_000)
    }

    /// How the last fetch ended, in this process or an earlier one.
    public var lastFetchStatus: RemoteConfigFetchStatus { core.withState { $0.record.status } }

    private func close() {
        updates.close()
        core.close()
    }
}

extension RemoteConfig {
    /// The same as ``configValue(forKey:)``.
    public subscript(key: String) -> RemoteConfigValue { configValue(forKey: key) }

    /// What was activated, else the default, else the empty value. Where a running experiment varies the parameter, this counts
    /// as its first use on this installation, which the server is told with the events.
    public func configValue(forKey key: String?) -> RemoteConfigValue {
        guard let key else { return Self.empty }
        core.recordExposures(of: key)
        return core.value(key) ?? Self.empty
    }

    /// From this source only; the empty value where it has none.
    public func configValue(forKey key: String?, source: RemoteConfigSource) -> RemoteConfigValue {
        guard let key else { return Self.empty }
        if source == .remote { core.recordExposures(of: key) }
        return core.value(key, source: source) ?? Self.empty
    }

    /// Nil where the app has set none.
    public func defaultValue(forKey key: String?) -> RemoteConfigValue? {
        key.flatMap { key in core.value(key, source: .default) }
    }

    /// In alphabetical order.
    public func allKeys(from source: RemoteConfigSource) -> [String] { core.keys(source) }

    /// The activated keys, without those that only have a default; all of them for nil and for an empty prefix.
    public func keys(withPrefix prefix: String?) -> Set<String> {
        let prefix = prefix ?? ""
        return Set(allKeys(from: .remote).filter { prefix.isEmpty || $0.hasPrefix(prefix) })
    }

    private static var empty: RemoteConfigValue { RemoteConfigValue(dataValue: Data(), source: .static) }
}

/// How a configuration is fetched. Not for several threads at once.
public final class RemoteConfigSettings: NSObject {
    private var values = FetchSettings()

    public override init() {}

    init(_ values: FetchSettings) { self.values = values }

    /// In seconds, half a day by default: what was fetched less long ago is not fetched again. Never below 0.
    public var minimumFetchInterval: TimeInterval {
        get { values.minimumIntervalSeconds }
        set { values.minimumIntervalSeconds = newValue > 0 ? newValue : 0 }
    }

    /// In seconds, a minute by default: how long a fetch may take. 0 and less stand for the default.
    public var fetchTimeout: TimeInterval {
        get { values.timeoutSeconds }
        set { values.timeoutSeconds = newValue > 0 ? newValue : FetchSettings().timeoutSeconds }
    }

    var fetchSettings: FetchSettings { values }
}

struct FetchSettings: Sendable, Equatable {
    var minimumIntervalSeconds = 43_200.0
    var timeoutSeconds = 60.0
}

public import Foundation
public import HearthApp

/// The server's namespace that apps read.
public let NamespaceGoogleMobilePlatform: String = "firebase"

/// Values from the server's template, and the app's own defaults for keys without one.
///
/// ```swift
/// let config = RemoteConfig.remoteConfig()
/// config.setDefaults(["greeting": "Hello" as NSObject])
/// config.fetchAndActivate { _, _ in print(config["greeting"].stringValue) }
/// ```
///
/// A fetch does not change what the app sees; activating does. The app's folder stores fetched and activated values,
/// which work without a connection; it does not store defaults. Use it from any thread. Completions are called on the
/// app's `callbackQueue`, unless their method names another queue. Errors are `NSError`s in
/// ``RemoteConfigErrorDomain``.
///
/// Making this object and setting settings or defaults does not block. The stored values are read in the background; a
/// caller that asks for a value before that has ended waits for it. Several processes may share an app's folder: each
/// starts with what the last of them wrote.
public final class RemoteConfig: NSObject, Sendable {
    let core: ConfigCore
    let updates: ConfigUpdates

    init(app: FirebaseApp) {
        let core = ConfigCore(app: app)
        self.core = core
        updates = ConfigUpdates(core: core)
    }

    /// The Remote Config of the default app. Ends the process when that app is not configured, as the original does.
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

    /// The Remote Config of an app: the same object for the same app, until the app is deleted. Afterwards, every fetch
    /// fails.
    public class func remoteConfig(app: FirebaseApp) -> RemoteConfig {
        app.service(RemoteConfig.self, make: { RemoteConfig(app: app) }, close: { $0.close() })
    }

    /// A copy of the settings: assign it back after a change. A change applies from the next fetch on.
    public var configSettings: RemoteConfigSettings {
        get { RemoteConfigSettings(core.settings) }
        set { core.settings = newValue.fetchSettings }
    }

    /// When the server last answered; 1970-01-01 when it never did.
    public var lastFetchTime: Date? {
        Date(timeIntervalSince1970: Double(core.withState { $0.record.lastFetchMicroseconds ?? 0 }) / 1_000_000)
    }

    /// The status of the last fetch, in this process or an earlier one.
    public var lastFetchStatus: RemoteConfigFetchStatus { core.withState { $0.record.status } }

    private func close() {
        updates.close()
        core.close()
    }
}

extension RemoteConfig {
    /// The value of a parameter, as ``configValue(forKey:)`` returns it.
    public subscript(key: String) -> RemoteConfigValue { configValue(forKey: key) }

    /// The activated value, otherwise the default, otherwise the empty value. If a running experiment varies the
    /// parameter, this call is the exposure on this installation, which Hearth reports to the server with the events.
    public func configValue(forKey key: String?) -> RemoteConfigValue {
        guard let key else { return Self.empty }
        core.recordExposures(of: key)
        return core.value(key) ?? Self.empty
    }

    /// The value from one source; the empty value when the source has none.
    public func configValue(forKey key: String?, source: RemoteConfigSource) -> RemoteConfigValue {
        guard let key else { return Self.empty }
        if source == .remote { core.recordExposures(of: key) }
        return core.value(key, source: source) ?? Self.empty
    }

    /// The app's default; nil when the app has set none.
    public func defaultValue(forKey key: String?) -> RemoteConfigValue? {
        key.flatMap { key in core.value(key, source: .default) }
    }

    /// The keys of a source in alphabetical order.
    public func allKeys(from source: RemoteConfigSource) -> [String] { core.keys(source) }

    /// The activated keys with this prefix, without keys that only have a default; all activated keys for nil or an
    /// empty prefix.
    public func keys(withPrefix prefix: String?) -> Set<String> {
        let prefix = prefix ?? ""
        return Set(allKeys(from: .remote).filter { prefix.isEmpty || $0.hasPrefix(prefix) })
    }

    private static var empty: RemoteConfigValue { RemoteConfigValue(dataValue: Data(), source: .static) }
}

/// The settings of fetches. Use one object on one thread at a time.
public final class RemoteConfigSettings: NSObject {
    private var values = FetchSettings()

    /// Makes the default settings.
    public override init() {}

    init(_ values: FetchSettings) { self.values = values }

    /// The seconds during which fetched values stay fresh: a fetch within them does not call the server. Half a day by
    /// default, never below 0.
    public var minimumFetchInterval: TimeInterval {
        get { values.minimumIntervalSeconds }
        set { values.minimumIntervalSeconds = newValue > 0 ? newValue : 0 }
    }

    /// The seconds that a fetch may take; 60 by default. Values up to 0 stand for the default.
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

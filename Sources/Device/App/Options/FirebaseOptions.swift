public import Foundation
package import HearthClient

/// Which project an app belongs to and where its server is.
///
/// Read from `GoogleService-Info.plist`, from the environment, or set in code. Not thread safe while it is being
/// filled in; `FirebaseApp` keeps a copy. Options that come from an app are locked: changing one ends the process.
open class FirebaseOptions: NSObject, NSCopying {
    private(set) var values: OptionValues
    private let isLocked: Bool

    /// - Parameters:
    ///   - googleAppID: `1:<project number>:ios:<hex>`.
    ///   - gcmSenderID: the project number.
    public init(googleAppID: String, gcmSenderID: String) {
        values = OptionValues(
            googleAppID: googleAppID, gcmSenderID: gcmSenderID, bundleID: Bundle.main.bundleIdentifier ?? "")
        isLocked = false
    }

    init(_ values: OptionValues, isLocked: Bool) {
        self.values = values
        self.isLocked = isLocked
    }

    /// Reads a property list of at most 1 MiB, as text or binary. nil, and a line in the log, when it cannot be read or names
    /// no app id; keys that are not known, and values of another kind than theirs, count as absent.
    public convenience init?(contentsOfFile plistPath: String) {
        guard let list = PropertyListFile(path: plistPath) else {
            AppLog.core.error(
                "I-COR000014",
                "The configuration file at \(plistPath) does not exist or is not a well-formed plist file.")
            return nil
        }
        guard list.texts["GOOGLE_APP_ID"]?.isEmpty == false else {
            AppLog.core.error("I-COR000012", "The configuration file at \(plistPath) names no GOOGLE_APP_ID.")
            return nil
        }
        self.init(list)
    }

    /// The same without a line in the log, for programs that report in their own words.
    package convenience init?(quietlyReading plistPath: String) {
        guard let list = PropertyListFile(path: plistPath) else { return nil }
        self.init(list)
    }

    private convenience init?(_ list: PropertyListFile) {
        self.init { list.texts[$0] }
        values.analytics = AnalyticsFlags { list.flags[$0] }
    }

    /// Reads values by the plist's key names, for example out of the environment; nil without an app id.
    convenience init?(_ value: (String) -> String?) {
        guard let appID = value("GOOGLE_APP_ID"), !appID.isEmpty else { return nil }
        self.init(googleAppID: appID, gcmSenderID: value("GCM_SENDER_ID") ?? "")
        if let bundleID = value("BUNDLE_ID") { values.bundleID = bundleID }
        values.apiKey = value("API_KEY")
        values.projectID = value("PROJECT_ID")
        values.clientID = value("CLIENT_ID")
        values.databaseURL = value("DATABASE_URL")
        values.storageBucket = value("STORAGE_BUCKET")
        values.serverURL = value("HEARTH_SERVER_URL")
        values.proxyURL = value("HEARTH_PROXY")
        values.caFile = value("HEARTH_CA_FILE")
        values.androidClientID = value("ANDROID_CLIENT_ID")
        values.trackingID = value("TRACKING_ID")
    }

    public var googleAppID: String {
        get { values.googleAppID }
        set { change(\.googleAppID, to: newValue) }
    }

    public var gcmSenderID: String {
        get { values.gcmSenderID }
        set { change(\.gcmSenderID, to: newValue) }
    }

    /// 39 characters, the first an `A`, the rest letters, digits, `-` and `_`.
    public var apiKey: String? {
        get { values.apiKey }
        set { change(\.apiKey, to: newValue) }
    }

    public var projectID: String? {
        get { values.projectID }
        set { change(\.projectID, to: newValue) }
    }

    public var bundleID: String {
        get { values.bundleID }
        set { change(\.bundleID, to: newValue) }
    }

    public var clientID: String? {
        get { values.clientID }
        set { change(\.clientID, to: newValue) }
    }

    public var databaseURL: String? {
        get { values.databaseURL }
        set { change(\.databaseURL, to: newValue) }
    }

    public var storageBucket: String? {
        get { values.storageBucket }
        set { change(\.storageBucket, to: newValue) }
    }

    public var appGroupID: String? {
        get { values.appGroupID }
        set { change(\.appGroupID, to: newValue) }
    }

    /// Base address of the Hearth server, for example `https://models.example.com`. Key `HEARTH_SERVER_URL`.
    public var serverURL: String? {
        get { values.serverURL }
        set { change(\.serverURL, to: newValue) }
    }

    /// The proxy that all requests go through, for example `http://proxy:3128`; `none` for no proxy; nil for what the
    /// environment's `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` say. Key `HEARTH_PROXY`.
    public var proxyURL: String? {
        get { values.proxyURL }
        set { change(\.proxyURL, to: newValue) }
    }

    /// A PEM file of the certificates to trust instead of the system's, for a server with a certificate of its own. Key
    /// `HEARTH_CA_FILE`.
    public var caFile: String? {
        get { values.caFile }
        set { change(\.caFile, to: newValue) }
    }

    /// The original's own exception, word for word at its beginning.
    private func change<Value>(_ property: WritableKeyPath<OptionValues, Value>, to value: Value) {
        guard !isLocked else {
            Misuse.stop(
                """
                Attempted to modify options after it's set on FIRApp. Please modify all properties before \
                initializing FIRApp.
                """)
        }
        values[keyPath: property] = value
    }

    /// The options that `FirebaseApp.configure()` would use: the property list that `HEARTH_APP_CONFIG` names, else
    /// `GoogleService-Info.plist` in the main bundle, else the environment variables `HEARTH_GOOGLE_APP_ID`,
    /// `HEARTH_GCM_SENDER_ID`, `HEARTH_API_KEY`, `HEARTH_PROJECT_ID` and so on. nil, and a line in the log, when
    /// `HEARTH_APP_CONFIG` names a file that is of no use: nothing else takes its place. `HEARTH_SERVER_URL`, `HEARTH_PROXY` and
    /// `HEARTH_CA_FILE` also replace what a property list says.
    open class func defaultOptions() -> FirebaseOptions? {
        OptionsSource(environment: ProcessInfo.processInfo.environment).options()
    }

    /// A copy of an app's options is as locked as they are.
    public func copy(with zone: NSZone? = nil) -> Any { FirebaseOptions(values, isLocked: isLocked) }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? FirebaseOptions else { return false }
        return values == other.values
    }

    open override var hash: Int { values.hashValue }
}

/// What older versions of the original had: kept, and otherwise without effect.
extension FirebaseOptions {
    @available(*, deprecated, message: "Has no effect.")
    public var androidClientID: String? {
        get { values.androidClientID }
        set { change(\.androidClientID, to: newValue) }
    }

    @available(*, deprecated, message: "Has no effect.")
    public var trackingID: String? {
        get { values.trackingID }
        set { change(\.trackingID, to: newValue) }
    }

    @available(*, deprecated, message: "Has no effect.")
    public var deepLinkURLScheme: String? {
        get { values.deepLinkURLScheme }
        set { change(\.deepLinkURLScheme, to: newValue) }
    }
}

/// The contents of `FirebaseOptions` as a value that threads can share.
struct OptionValues: Hashable, Sendable {
    var googleAppID: String
    var gcmSenderID: String
    var bundleID: String
    var apiKey: String?
    var projectID: String?
    var clientID: String?
    var databaseURL: String?
    var storageBucket: String?
    var appGroupID: String?
    var serverURL: String?
    var proxyURL: String?
    var caFile: String?
    var androidClientID: String?
    var trackingID: String?
    var deepLinkURLScheme: String?
    var analytics = AnalyticsFlags()
}

/// What an app's `GoogleService-Info.plist` says of events.
package struct AnalyticsFlags: Hashable, Sendable {
    package static let deactivatedKey = "FIREBASE_ANALYTICS_COLLECTION_DEACTIVATED"
    package static let enabledKey = "FIREBASE_ANALYTICS_COLLECTION_ENABLED"
    private static let measurementKey = "IS_MEASUREMENT_ENABLED"

    /// None are collected, whatever else says so.
    package private(set) var isDeactivated = false
    /// Whether they are collected at first; nil when it says nothing.
    package private(set) var isEnabled: Bool?

    init() {}

    /// - Parameter flag: By the plist's key names; nil when it says nothing.
    init(_ flag: (String) -> Bool?) {
        isDeactivated = flag(Self.deactivatedKey) ?? false
        // A plist that allows measurements, as most do, has not decided against the app's own flag.
        isEnabled = flag(Self.enabledKey) ?? (flag(Self.measurementKey) == false ? false : nil)
    }
}

extension FirebaseOptions {
    /// The server's address, and what each call to it carries.
    package func serverAddress() throws(MissingOptions) -> ServerAddress {
        try ServerAddress(serverURL: serverURL, projectID: projectID, apiKey: apiKey, bundleID: bundleID)
    }
}

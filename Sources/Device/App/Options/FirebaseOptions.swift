public import Foundation
package import HearthClient
package import HearthFiles

/// The project to which an app belongs, and the address of its server.
///
/// Read from `GoogleService-Info.plist` or from the environment, or set in code. Not thread safe until the app is
/// configured; `FirebaseApp` keeps a copy. Options that come from an app are locked: changing one ends the process.
open class FirebaseOptions: NSObject, NSCopying {
    private(set) var values: OptionValues
    private let isLocked: Bool

    /// Makes options with an app id.
    ///
    /// - Parameters:
    ///   - googleAppID: `1:<project number>:ios:<hex>`.
    ///   - gcmSenderID: The project number.
    public init(googleAppID: String, gcmSenderID: String) {
        values = OptionValues(
            googleAppID: googleAppID, gcmSenderID: gcmSenderID, bundleID: Bundle.main.bundleIdentifier ?? "")
        isLocked = false
    }

    init(_ values: OptionValues, isLocked: Bool) {
        self.values = values
        self.isLocked = isLocked
    }

    /// Reads a property list of at most 1 MiB, as text or binary. nil, with a line in the log, when the file cannot be
    /// read or has no app id. Unknown keys, and values of a wrong type, count as absent.
    public convenience init?(contentsOfFile plistPath: String) {
        let list: PropertyListFile
        do throws(FileError) {
            list = try PropertyListFile(path: plistPath)
        } catch {
            AppLog.core.error(
                "I-COR000014", "The configuration file cannot be used: \(error.message).\(Self.advice(error))")
            return nil
        }
        guard list.texts["GOOGLE_APP_ID"]?.isEmpty == false else {
            AppLog.core.error("I-COR000012", "The configuration file at \(plistPath) names no GOOGLE_APP_ID.")
            return nil
        }
        self.init(list)
    }

    /// The server writes the file for its owner alone, and an app often runs as another user.
    private static func advice(_ error: FileError) -> String {
        error.code == .notPermitted ? " Let the user that the app runs as read it." : ""
    }

    /// Reads a property list without writing to the log, for programs with their own error messages; nil if it has no app id.
    package convenience init?(quietlyReading plistPath: String) throws(FileError) {
        self.init(try PropertyListFile(path: plistPath))
    }

    private convenience init?(_ list: PropertyListFile) {
        self.init { list.texts[$0] }
        values.analytics = AnalyticsFlags { list.flags[$0] }
    }

    /// Reads values by the plist's key names, for example from the environment; nil without an app id.
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

    /// The app id, `1:<project number>:ios:<hex>`. Key `GOOGLE_APP_ID`.
    public var googleAppID: String {
        get { values.googleAppID }
        set { change(\.googleAppID, to: newValue) }
    }

    /// The project number. Key `GCM_SENDER_ID`.
    public var gcmSenderID: String {
        get { values.gcmSenderID }
        set { change(\.gcmSenderID, to: newValue) }
    }

    /// The API key: 39 characters, an `A` followed by letters, digits, `-` and `_`. Key `API_KEY`.
    public var apiKey: String? {
        get { values.apiKey }
        set { change(\.apiKey, to: newValue) }
    }

    /// The project id. Key `PROJECT_ID`.
    public var projectID: String? {
        get { values.projectID }
        set { change(\.projectID, to: newValue) }
    }

    /// The app's bundle id; by default that of the running program. Key `BUNDLE_ID`.
    public var bundleID: String {
        get { values.bundleID }
        set { change(\.bundleID, to: newValue) }
    }

    /// Kept for existing apps; Hearth does not use it. Key `CLIENT_ID`.
    public var clientID: String? {
        get { values.clientID }
        set { change(\.clientID, to: newValue) }
    }

    /// Kept for existing apps; Hearth does not use it. Key `DATABASE_URL`.
    public var databaseURL: String? {
        get { values.databaseURL }
        set { change(\.databaseURL, to: newValue) }
    }

    /// Kept for existing apps; Hearth does not use it. Key `STORAGE_BUCKET`.
    public var storageBucket: String? {
        get { values.storageBucket }
        set { change(\.storageBucket, to: newValue) }
    }

    /// Kept for existing apps; Hearth does not use it.
    public var appGroupID: String? {
        get { values.appGroupID }
        set { change(\.appGroupID, to: newValue) }
    }

    /// The base address of the Hearth server, for example `https://models.example.com`. Key `HEARTH_SERVER_URL`.
    public var serverURL: String? {
        get { values.serverURL }
        set { change(\.serverURL, to: newValue) }
    }

    /// The proxy for all requests, for example `http://proxy:3128`; `none` for no proxy. When nil, the environment's
    /// `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` apply. Key `HEARTH_PROXY`.
    public var proxyURL: String? {
        get { values.proxyURL }
        set { change(\.proxyURL, to: newValue) }
    }

    /// A PEM file with the certificates to trust instead of the system's, for a server with its own certificate. Key
    /// `HEARTH_CA_FILE`.
    public var caFile: String? {
        get { values.caFile }
        set { change(\.caFile, to: newValue) }
    }

    /// The message begins with the words of the original's exception.
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

    /// The options that `FirebaseApp.configure()` would use: the property list that `HEARTH_APP_CONFIG` names,
    /// otherwise `GoogleService-Info.plist` in the main bundle, otherwise the environment variables
    /// `HEARTH_GOOGLE_APP_ID`, `HEARTH_GCM_SENDER_ID`, `HEARTH_API_KEY`, `HEARTH_PROJECT_ID` and so on. nil, with a
    /// line in the log, when `HEARTH_APP_CONFIG` names an unusable file: no other source replaces it.
    /// `HEARTH_SERVER_URL`, `HEARTH_PROXY` and `HEARTH_CA_FILE` override the values of a property list.
    open class func defaultOptions() -> FirebaseOptions? {
        OptionsSource(environment: ProcessInfo.processInfo.environment).options()
    }

    /// A copy with the same values. A copy of locked options is locked too.
    public func copy(with zone: NSZone? = nil) -> Any { FirebaseOptions(values, isLocked: isLocked) }

    /// Whether the object is options with the same values.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? FirebaseOptions else { return false }
        return values == other.values
    }

    /// The hash of the values.
    open override var hash: Int { values.hashValue }
}

/// Properties of older versions of the original. They are kept for existing apps and have no effect.
extension FirebaseOptions {
    /// Has no effect. Key `ANDROID_CLIENT_ID`.
    @available(*, deprecated, message: "Has no effect.")
    public var androidClientID: String? {
        get { values.androidClientID }
        set { change(\.androidClientID, to: newValue) }
    }

    /// Has no effect. Key `TRACKING_ID`.
    @available(*, deprecated, message: "Has no effect.")
    public var trackingID: String? {
        get { values.trackingID }
        set { change(\.trackingID, to: newValue) }
    }

    /// Has no effect.
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

/// The settings of an app's `GoogleService-Info.plist` about events.
package struct AnalyticsFlags: Hashable, Sendable {
    package static let deactivatedKey = "FIREBASE_ANALYTICS_COLLECTION_DEACTIVATED"
    package static let enabledKey = "FIREBASE_ANALYTICS_COLLECTION_ENABLED"
    private static let measurementKey = "IS_MEASUREMENT_ENABLED"

    /// Whether no events are collected, regardless of all other settings.
    package private(set) var isDeactivated = false
    /// Whether events are collected until the app sets a value; nil when the file has no such setting.
    package private(set) var isEnabled: Bool?

    init() {}

    /// Reads the settings.
    ///
    /// - Parameter flag: Returns a flag by its key in the file; nil when the file does not have it.
    init(_ flag: (String) -> Bool?) {
        isDeactivated = flag(Self.deactivatedKey) ?? false
        // A file that allows measurements, as most do, does not override the app's own flag.
        isEnabled = flag(Self.enabledKey) ?? (flag(Self.measurementKey) == false ? false : nil)
    }
}

extension FirebaseOptions {
    /// The server's address, and the values that each call carries.
    package func serverAddress() throws(MissingOptions) -> ServerAddress {
        try ServerAddress(serverURL: serverURL, projectID: projectID, apiKey: apiKey, bundleID: bundleID)
    }
}

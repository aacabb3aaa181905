public import Foundation

/// Which project an app belongs to and where its server is.
///
/// Read from `GoogleService-Info.plist`, from the environment, or set in code. Not thread safe while it is being
/// filled in; `FirebaseApp` keeps a copy.
open class FirebaseOptions: NSObject, NSCopying {
    public var googleAppID: String
    public var gcmSenderID: String
    /// 39 characters, the first an `A`.
    public var apiKey: String?
    public var projectID: String?
    public var bundleID: String
    public var clientID: String?
    public var databaseURL: String?
    public var storageBucket: String?
    public var appGroupID: String?
    /// Base address of the Hearth server, for example `https://models.example.com`. Key `HEARTH_SERVER_URL`.
    public var serverURL: String?

    /// - Parameters:
    ///   - googleAppID: `1:<project number>:ios:<hex>`.
    ///   - gcmSenderID: the project number.
    public init(googleAppID: String, gcmSenderID: String) {
        self.googleAppID = googleAppID
        self.gcmSenderID = gcmSenderID
        bundleID = Bundle.main.bundleIdentifier ?? ""
    }

    /// Reads a property list; nil when it cannot be read or names no app id.
    public convenience init?(contentsOfFile plistPath: String) {
        guard let data = FileManager.default.contents(atPath: plistPath), data.count <= 1 << 20,
            let list = try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
        else { return nil }
        self.init { list[$0] as? String }
    }

    /// Reads values by the plist's key names, for example out of the environment; nil without an app id.
    convenience init?(_ value: (String) -> String?) {
        guard let appID = value("GOOGLE_APP_ID"), !appID.isEmpty else { return nil }
        self.init(googleAppID: appID, gcmSenderID: value("GCM_SENDER_ID") ?? "")
        apiKey = value("API_KEY")
        projectID = value("PROJECT_ID")
        if let bundleID = value("BUNDLE_ID") { self.bundleID = bundleID }
        clientID = value("CLIENT_ID")
        databaseURL = value("DATABASE_URL")
        storageBucket = value("STORAGE_BUCKET")
        serverURL = value("HEARTH_SERVER_URL")
    }

    /// The options that `FirebaseApp.configure()` would use: the property list that `HEARTH_CONFIG` names, else
    /// `GoogleService-Info.plist` in the main bundle, else the environment variables `HEARTH_GOOGLE_APP_ID`,
    /// `HEARTH_GCM_SENDER_ID`, `HEARTH_API_KEY`, `HEARTH_PROJECT_ID` and `HEARTH_SERVER_URL`.
    /// `HEARTH_SERVER_URL` also replaces the address in a property list.
    open class func defaultOptions() -> FirebaseOptions? {
        OptionsSource(environment: ProcessInfo.processInfo.environment).options()
    }

    public func copy(with zone: NSZone? = nil) -> Any { OptionValues(self).options() }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? FirebaseOptions else { return false }
        return OptionValues(self) == OptionValues(other)
    }

    open override var hash: Int { OptionValues(self).hashValue }
}

/// Where default options come from; the environment is passed in so that tests need not change the process's.
struct OptionsSource {
    let environment: [String: String]

    func options() -> FirebaseOptions? {
        let found = fromNamedFile() ?? fromBundle() ?? fromEnvironment()
        if let url = environment["HEARTH_SERVER_URL"] { found?.serverURL = url }
        return found
    }

    private func fromNamedFile() -> FirebaseOptions? {
        environment["HEARTH_CONFIG"].flatMap { FirebaseOptions(contentsOfFile: $0) }
    }

    private func fromBundle() -> FirebaseOptions? {
        Bundle.main.path(forResource: "GoogleService-Info", ofType: "plist")
            .flatMap { FirebaseOptions(contentsOfFile: $0) }
    }

    private func fromEnvironment() -> FirebaseOptions? {
        FirebaseOptions { key in
            environment[key.hasPrefix("HEARTH_") ? key : "HEARTH_" + key]
        }
    }
}

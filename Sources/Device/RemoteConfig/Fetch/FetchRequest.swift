import Foundation
import HearthApp
import HearthClient
import HearthWire

/// The body of a fetch: the installation, and the values that conditions can use.
struct FetchRequest: Encodable, Sendable {
    static let sdkVersion = "hearth"

    var appInstanceId: String
    var appInstanceIdToken: String
    var appId: String
    var packageName: String
    var appVersion: String?
    var appBuild: String?
    var platformVersion: String
    var sdkVersion = Self.sdkVersion
    /// RFC 3339; nil when the app must not send data about its user.
    var firstOpenTime: String?
    var customSignals: [String: StoredSignal]?
    /// The user's country, and below the user's language; nil when the app must not send data about its user.
    var countryCode: String?
    var languageCode: String?

    /// Makes the body of an app's fetch.
    ///
    /// - Parameter record: Contains the custom signals and the time of the app's first run.
    init(app: FirebaseApp, identity: InstallationIdentity, record: ConfigRecord) {
        let description = app.reportedDescription
        appInstanceId = identity.id
        appInstanceIdToken = identity.token
        appId = app.options.googleAppID
        packageName = app.options.bundleID
        appVersion = description.appVersion
        appBuild = Bundle.main.object(forInfoDictionaryKey: "CFBundleVersion") as? String
        let system = ProcessInfo.processInfo.operatingSystemVersion
        platformVersion = "\(system.majorVersion).\(system.minorVersion).\(system.patchVersion)"
        if app.isDataCollectionDefaultEnabled {
            firstOpenTime = record.firstOpenMicroseconds.map { Timestamp(microseconds: $0).rfc3339(fractionDigits: 3) }
        }
        customSignals = record.signals.isEmpty ? nil : record.signals
        countryCode = description.country
        languageCode = description.language
    }
}

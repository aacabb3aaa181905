import Foundation
import HearthApp
import HearthWire

/// The body of a fetch: who asks, and what conditions may look at.
struct FetchQuestion: Encodable, Sendable {
    static let sdkVersion = "hearth"

    var appInstanceId: String
    var appInstanceIdToken: String
    var appId: String
    var packageName: String
    var appVersion: String?
    var appBuild: String?
    var platformVersion: String
    var sdkVersion = Self.sdkVersion
    /// RFC 3339; nil where nothing may be told of the user.
    var firstOpenTime: String?
    var customSignals: [String: StoredSignal]?
    /// The user's, as the next one: nil where the app tells nothing of its user.
    var countryCode: String?
    var languageCode: String?

    /// - Parameter record: What is known from earlier.
    init(app: FirebaseApp, installationID: String, token: String, record: ConfigRecord) {
        let told = app.toldDescription
        appInstanceId = installationID
        appInstanceIdToken = token
        appId = app.options.googleAppID
        packageName = app.options.bundleID
        appVersion = told.appVersion
        appBuild = Bundle.main.object(forInfoDictionaryKey: "CFBundleVersion") as? String
        let system = ProcessInfo.processInfo.operatingSystemVersion
        platformVersion = "\(system.majorVersion).\(system.minorVersion).\(system.patchVersion)"
        if app.isDataCollectionDefaultEnabled {
            firstOpenTime = record.firstOpenMicroseconds.map { Timestamp(microseconds: $0).rfc3339(fractionDigits: 3) }
        }
        customSignals = record.signals.isEmpty ? nil : record.signals
        countryCode = told.country
        languageCode = told.language
    }
}

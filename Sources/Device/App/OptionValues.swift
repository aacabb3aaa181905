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

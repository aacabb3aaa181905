/// The contents of `FirebaseOptions` as a value that threads can share.
struct OptionValues: Hashable, Sendable {
    var googleAppID: String
    var gcmSenderID: String
    var apiKey: String?
    var projectID: String?
    var bundleID: String
    var clientID: String?
    var databaseURL: String?
    var storageBucket: String?
    var appGroupID: String?
    var serverURL: String?

    init(_ options: FirebaseOptions) {
        googleAppID = options.googleAppID
        gcmSenderID = options.gcmSenderID
        apiKey = options.apiKey
        projectID = options.projectID
        bundleID = options.bundleID
        clientID = options.clientID
        databaseURL = options.databaseURL
        storageBucket = options.storageBucket
        appGroupID = options.appGroupID
        serverURL = options.serverURL
    }

    func options() -> FirebaseOptions {
        let options = FirebaseOptions(googleAppID: googleAppID, gcmSenderID: gcmSenderID)
        options.apiKey = apiKey
        options.projectID = projectID
        options.bundleID = bundleID
        options.clientID = clientID
        options.databaseURL = databaseURL
        options.storageBucket = storageBucket
        options.appGroupID = appGroupID
        options.serverURL = serverURL
        return options
    }
}

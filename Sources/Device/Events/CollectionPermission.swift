import HearthApp

/// Whether events may be collected.
struct CollectionPermission: Sendable {
    private let app: FirebaseApp
    private let own: DataCollectionSwitch

    init(_ app: FirebaseApp) {
        self.app = app
        own = DataCollectionSwitch(
            app, fileName: "analytics-collection", infoKey: "FIREBASE_ANALYTICS_COLLECTION_ENABLED")
    }

    /// What was set here, else what `Info.plist` says of events, else what holds for all of the app's data. Reads small files
    /// at first.
    var isGiven: Bool { own.choice ?? app.isDataCollectionDefaultEnabled }

    func set(_ value: Bool) { own.set(value) }
}

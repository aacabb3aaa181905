import HearthApp

/// Whether events may be collected.
struct CollectionPermission: Sendable {
    private let app: FirebaseApp
    private let isDeactivated: Bool
    private let own: DataCollectionSwitch

    init(_ app: FirebaseApp) {
        self.app = app
        let flags = app.analyticsFlags
        isDeactivated =
            flags.isDeactivated || DataCollectionSwitch.mainBundleValue(AnalyticsFlags.deactivatedKey) == true
        own = DataCollectionSwitch(
            app, fileName: "analytics-collection", infoKey: AnalyticsFlags.enabledKey, optionsValue: flags.isEnabled)
    }

    /// Never where they are deactivated; else what was set here, else what `Info.plist` and then the options' file say of events,
    /// else what holds for all of the app's data. Reads small files at first.
    var isGiven: Bool { !isDeactivated && (own.choice ?? app.isDataCollectionDefaultEnabled) }

    func set(_ value: Bool) { own.set(value) }
}

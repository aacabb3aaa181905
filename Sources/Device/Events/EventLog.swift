package import HearthApp
import HearthWire

/// One app's events and exposures: kept on the disk until the server has them, and sent in batches. Use it from any thread;
/// nobody waits for the disk, but for a small file at first, or for the network.
package final class EventLog: Sendable {
    private let permission: CollectionPermission
    private let installations: Installations
    let writer: EventWriter
    let sender: EventSender
    private let known = ReportedExposureCache()

    private init(_ app: FirebaseApp) {
        let folder = JournalFolder(app: app)
        permission = CollectionPermission(app)
        installations = Installations.installations(app: app)
        sender = EventSender(app: app, permission: permission)
        writer = EventWriter(app: app, folder: folder, permission: permission, known: known, sender: sender)
        writer.start()
        app.whenDataCollectionChanges { [weak self] in self?.eraseIfForbidden() }
    }

    /// The same object for the same app, until the app is deleted. Asking for it sees to it that what an earlier process left
    /// is sent.
    package static func log(of app: FirebaseApp) -> EventLog {
        app.service(EventLog.self, make: { EventLog(app) }, close: { $0.close() })
    }

    /// Whether events may be collected.
    var isCollecting: Bool { permission.isGranted }

    /// Keeps it if events may be collected now, whatever holds when it is written.
    func add(_ event: EventBodies.Event) {
        if isCollecting { writer.add(event) }
    }

    /// Reports that the installation met its variant of an experiment, once for each state of what was used. May be called
    /// with every image.
    package func report(_ exposure: Exposure) {
        guard isCollecting, exposure.isReportable else { return }
        if known.insert(exposure, installationChangeCount: installations.changeCount) { writer.add(exposure) }
    }

    /// With false, what waits is forgotten.
    func setCollecting(_ value: Bool) {
        permission.set(value)
        eraseIfForbidden()
    }

    /// Forgets what waits, and which exposures were reported.
    func erase() { writer.erase() }

    private func eraseIfForbidden() {
        if !isCollecting { erase() }
    }

    /// Sends everything that was added before, now.
    func send(completion: @escaping @Sendable (Result<Void, EventsError>) -> Void) {
        sender.send(writer, completion: completion)
    }

    private func close() {
        sender.close()
        writer.close()
    }
}

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
    var isGranted: Bool { !isDeactivated && (own.choice ?? app.isDataCollectionDefaultEnabled) }

    func set(_ value: Bool) { own.set(value) }
}

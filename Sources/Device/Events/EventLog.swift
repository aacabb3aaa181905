package import HearthApp
import HearthWire

/// One app's events and exposures: stored on the disk until the server has them, and sent in batches. Use it from any
/// thread. Callers do not wait for the network, and wait for the disk only while it reads a small file at first.
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

    /// The event log of an app: the same object for the same app, until the app is deleted. Making it also starts the
    /// sending of what an earlier process left.
    package static func log(of app: FirebaseApp) -> EventLog {
        app.service(EventLog.self, make: { EventLog(app) }, close: { $0.close() })
    }

    /// Whether events may be collected.
    var isCollecting: Bool { permission.isGranted }

    /// Adds an event if events may be collected now, even if that changes before the event is written.
    func add(_ event: EventBodies.Event) {
        if isCollecting { writer.add(event) }
    }

    /// Adds what was counted about a version of a model.
    func add(_ health: ModelHealth) {
        if isCollecting { writer.add(health) }
    }

    /// Reports an exposure of this installation, once for each state of the used object. An app may call this with
    /// every image.
    package func report(_ exposure: Exposure) {
        guard isCollecting, exposure.isReportable else { return }
        if known.insert(exposure, installationChangeCount: installations.changeCount) { writer.add(exposure) }
    }

    /// Sets whether events may be collected. With false, waiting events are deleted.
    func setCollecting(_ value: Bool) {
        permission.set(value)
        eraseIfForbidden()
    }

    /// Deletes waiting events, and forgets which exposures were reported.
    func erase() { writer.erase() }

    private func eraseIfForbidden() {
        if !isCollecting { erase() }
    }

    /// Sends everything that was added before this call, now.
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

    /// Whether events may be collected. False if they are deactivated; otherwise the first of these applies: the value
    /// that was set here, the setting for events in `Info.plist`, that in the options' file, the setting for all data
    /// of the app. The first call reads small files.
    var isGranted: Bool { !isDeactivated && (own.choice ?? app.isDataCollectionDefaultEnabled) }

    func set(_ value: Bool) { own.set(value) }
}

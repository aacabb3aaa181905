package import HearthApp
import HearthWire
import Synchronization

/// One app's events and exposures: kept on the disk until the server has them, and sent in batches. Use it from any thread;
/// nobody waits for the disk, but for a small file at first, or for the network.
package final class EventLog: Sendable {
    /// What this process has reported of one installation.
    private struct Known {
        var exposures: Set<Exposure> = []
        var installationChangeCount = 0
    }

    private let permission: CollectionPermission
    private let installations: Installations
    let writer: EventWriter
    let sender: EventSender
    /// So that the next one who says the same costs nothing.
    private let known = Mutex(Known())

    private static let knownLimit = 10_000

    private init(_ app: FirebaseApp) {
        let folder = JournalFolder(app: app)
        permission = CollectionPermission(app)
        installations = Installations.installations(app: app)
        sender = EventSender(app: app, folder: folder, permission: permission)
        writer = EventWriter(app: app, folder: folder, permission: permission, sender: sender)
        writer.start()
    }

    /// The same object for the same app, until the app is deleted. Asking for it sees to it that what an earlier process left
    /// is sent.
    package static func log(of app: FirebaseApp) -> EventLog {
        app.service(EventLog.self, make: { EventLog(app) }, close: { $0.close() })
    }

    /// Whether events may be collected.
    var isCollecting: Bool { permission.isGiven }

    func add(_ event: EventBodies.Event) { writer.add(event) }

    /// Reports that the installation met its variant of an experiment, once for each state of what was used. May be called
    /// with every picture.
    package func report(_ exposure: Exposure) {
        guard isCollecting, exposure.isReportable else { return }
        let changeCount = installations.changeCount
        let isNew = known.withLock { known in
            // Another installation is another unit of every experiment.
            if known.installationChangeCount != changeCount || known.exposures.count >= Self.knownLimit {
                known = Known(installationChangeCount: changeCount)
            }
            return known.exposures.insert(exposure).inserted
        }
        if isNew { writer.add(exposure) }
    }

    /// With false, what waits is forgotten.
    func setCollecting(_ value: Bool) {
        permission.set(value)
        if !value { erase() }
    }

    /// Forgets what waits, and which exposures were reported.
    func erase() {
        known.withLock { $0.exposures = [] }
        writer.erase()
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

import Dispatch
import HearthCalls
import HearthCatalog
import HearthConcurrency
import HearthCrypto
import HearthRouting
import HearthStorage
import HearthWire

/// Stores installations. When many register at once, as after an app's release, they share transactions, so that
/// one disk sync serves all of them.
final class InstallationRegistrar: Sendable {
    typealias Reply = @Sendable (Result<Installation, any Error>) -> Void

    /// A registration that waits, and how to answer it.
    private struct Registration {
        let installation: Installation
        let reply: Reply
    }

    private let metadata: any MetadataStore
    private let observers: [any DeviceObserver]
    private let notesUnsent: Bool
    private let waiting = Lock<[Registration]>([])
    private let queue = DispatchQueue(label: "app.hearth.installations")
    /// The most registrations that wait while a database elsewhere is slow.
    private static let waitingLimit = 10_000
    private static let crowdedRetrySeconds = 30

    /// - Parameters:
    ///   - observers: forget what they know of an installation when it is deleted.
    ///   - notesUnsent: whether another server must hear of new installations.
    init(_ metadata: any MetadataStore, _ observers: [any DeviceObserver] = [], notesUnsent: Bool = false) {
        self.metadata = metadata
        self.observers = observers
        self.notesUnsent = notesUnsent
    }

    /// Replies, on another thread, with the record of the installation: an existing one, or else `installation`. If its
    /// id belongs to another app, it gets a new id.
    func register(_ installation: Installation, _ reply: @escaping Reply) {
        let place = waiting.withLock { orders in
            if orders.count < Self.waitingLimit {
                orders.append(Registration(installation: installation, reply: reply))
                return orders.count - 1
            }
            return Self.waitingLimit
        }
        guard place < Self.waitingLimit else {
            var error = APIError(.unavailable, "Too many devices are registering; try again later.")
            error.retryAfterSeconds = Self.crowdedRetrySeconds
            return reply(.failure(error))
        }
        if place == 0 { queue.async { self.writeAll() } }
    }

    private func writeAll() {
        let orders = waiting.withLock { orders in
            defer { orders = [] }
            return orders
        }
        let written = Result {
            try metadata.write { store in try orders.map { try record($0.installation, store) } }
        }
        for (index, order) in orders.enumerated() { order.reply(written.map { $0[index] }) }
    }

    private func record(_ installation: Installation, _ store: any MetadataWriter) throws -> Installation {
        var installation = installation
        if let known = try store.installation(fid: installation.fid, project: installation.projectID) {
            if known.appID == installation.appID { return known }
            installation.fid = Self.newID()
        }
        try store.insert(installation)
        if notesUnsent { try store.noteUnsent(installation) }
        return installation
    }

    /// The record, if there is one. The caller waits for the database.
    func installation(fid: String, project: String) throws -> Installation? {
        try metadata.read { try $0.installation(fid: fid, project: project) }
    }

    /// Deletes the record, and what is known of the installation. The caller waits for the database.
    func delete(_ installation: Installation) throws {
        try metadata.write { store in
            let present = try store.installation(fid: installation.fid, project: installation.projectID)
            // Of two deletions at once, the later finds no record. A new record with the same id stays.
            guard present == installation else { return }
            try store.delete(installation)
            for observer in observers {
                try observer.forget(installation.fid, project: installation.projectID, store)
            }
        }
    }

    static func newID() -> String {
        InstallationID.text(random: SecureRandom.bytes(InstallationID.randomByteCount))
    }
}

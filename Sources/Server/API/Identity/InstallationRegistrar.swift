import Dispatch
import HearthCatalog
import HearthCrypto
import HearthStorage
import HearthWire
import Synchronization

/// Writes new installations down. When many come at once, as after an app's release, they share transactions, so that
/// the disk is waited for once for all of them.
final class InstallationRegistrar: Sendable {
    typealias Reply = @Sendable (Result<Installation, any Error>) -> Void

    private struct Order {
        let installation: Installation
        let reply: Reply
    }

    private let metadata: any MetadataStore
    private let waiting = Mutex<[Order]>([])
    private let queue = DispatchQueue(label: "app.hearth.installations")

    init(_ metadata: any MetadataStore) { self.metadata = metadata }

    /// Replies, from another thread, with the record that the installation has: the one there was, or `installation`,
    /// under another id where its own belongs to another app.
    func register(_ installation: Installation, _ reply: @escaping Reply) {
        let isFirst = waiting.withLock { orders in
            orders.append(Order(installation: installation, reply: reply))
            return orders.count == 1
        }
        if isFirst { queue.async { self.writeAll() } }
    }

    private func writeAll() {
        let orders = waiting.withLock { orders in
            defer { orders = [] }
            return orders
        }
        let written = Result {
            try metadata.write { store in try orders.map { try Self.record($0.installation, store) } }
        }
        for (index, order) in orders.enumerated() { order.reply(written.map { $0[index] }) }
    }

    private static func record(_ installation: Installation, _ store: any MetadataWriter) throws -> Installation {
        var installation = installation
        if let known = try store.installation(fid: installation.fid, project: installation.projectID) {
            if known.appID == installation.appID { return known }
            installation.fid = newID()
        }
        try store.insert(installation)
        return installation
    }

    static func newID() -> String {
        InstallationID.text(random: SecureRandom.bytes(InstallationID.randomByteCount))
    }
}

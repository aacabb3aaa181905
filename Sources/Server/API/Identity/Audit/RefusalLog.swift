import Dispatch
import HearthCatalog
import HearthHTTP
import HearthStorage
import HearthWire
import Synchronization

/// Writes down which changes were refused to whom: accounts and tokens that try what is not theirs to do.
///
/// Bounded, so that nobody fills the disk or the log with it: so many of one caller in a day, and of all of them. Calls
/// of nobody known are not written down.
final class RefusalLog: Sendable {
    /// In a day; a day begins with a first refusal.
    struct Bounds {
        var perActor = 100
        var total = 1000
    }

    private struct Day {
        var endMicroseconds = Int64.min
        var total = 0
        var counts: [String: Int] = [:]
    }

    private static let dayMicroseconds: Int64 = 86_400_000_000
    private static let longestPath = 200

    private let metadata: any MetadataStore
    private let queue: DispatchQueue
    private let bounds: Bounds
    private let day = Mutex(Day())

    /// - Parameter queue: where it is written: the caller has its answer before.
    init(_ metadata: any MetadataStore, queue: DispatchQueue, bounds: Bounds = Bounds()) {
        self.metadata = metadata
        self.queue = queue
        self.bounds = bounds
    }

    /// - Parameter known: whether there is such a project.
    func add(_ head: RequestHead, _ refusal: APIError, nowMicroseconds now: Int64, known: (String) -> Bool) {
        guard refusal.status == .permissionDenied, head.method != .get, head.method != .head,
            let actor = head.notes.actor, Self.isAdmin(actor), let isLast = admit(actor, now)
        else { return }
        let path = head.path
        let entry = AuditEntry(
            projectID: Self.project(in: path).flatMap { known($0) ? $0 : nil } ?? "", actor: actor,
            action: "access.refuse", subject: "\(head.method) \(path.prefix(Self.longestPath))",
            detail: refusal.message + (isLast ? " No more of this caller are written down for a day." : ""),
            atMicroseconds: now)
        queue.async { [metadata] in
            // The caller was refused either way, and the access log has it too.
            try? metadata.write { try $0.append(entry) }
        }
    }

    /// Nil when enough of them are written down; else whether this is the caller's last one.
    private func admit(_ actor: String, _ now: Int64) -> Bool? {
        day.withLock { day in
            if now >= day.endMicroseconds { day = Day(endMicroseconds: now + Self.dayMicroseconds) }
            let count = day.counts[actor, default: 0] + 1
            guard day.total < bounds.total, count <= bounds.perActor else { return nil }
            day.total += 1
            day.counts[actor] = count
            return count == bounds.perActor
        }
    }

    /// Devices are API keys and installations.
    private static func isAdmin(_ actor: String) -> Bool { actor.hasPrefix("token:") || actor.contains("@") }

    /// What follows `projects` in the path.
    private static func project(in path: String) -> String? {
        let parts = path.split(separator: "/")
        guard let index = parts.firstIndex(of: "projects"), index + 1 < parts.count else { return nil }
        return String(parts[index + 1])
    }
}

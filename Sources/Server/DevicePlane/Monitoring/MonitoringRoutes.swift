import HearthCalls
import HearthHTTP
import HearthMetrics
package import HearthRouting
import HearthServing
package import HearthStorage
import HearthWire

/// For load balancers, container platforms and scripts that wait. These calls need no key.
package struct MonitoringRoutes {
    private let context: RouteContext
    private let metadata: any MetadataStore

    package init(_ context: RouteContext, _ metadata: any MetadataStore) {
        self.context = context
        self.metadata = metadata
    }

    package var routes: [CallRoute] {
        [
            // The process is alive. Nothing else is checked: a restart does not help a server that waits for its disk.
            CallRoute(MonitoringCalls.live) { _, _ in .answer(Self.plain("ok\n")) },
            CallRoute(MonitoringCalls.ready) { head, _ in .answer(ready(head)) },
        ]
    }

    /// Whether clients should send requests here: 200, or 503 with one line per reason. The notes follow.
    private func ready(_ head: RequestHead) -> Response {
        let reasons = [databaseProblem(head)].compactMap { $0 } + context.services.readinessProblems()
        // Devices are answered, so a load balancer continues to send them here.
        let readOnly = metadata.lastReadOnlyReason.map { ReadOnlyMark($0).summary }
        let refusals = [readOnly, DiskReserve(context.services).note].compactMap { $0 }
        let notes = (outageNotes + databaseNotes + context.services.notes + refusals).map {
            "note: \($0)\n"
        }
        .joined()
        return reasons.isEmpty
            ? Self.plain("ok\n" + notes)
            : Self.plain(reasons.map { "not ready: \($0)\n" }.joined() + notes, status: 503)
    }

    /// What is away while devices are answered.
    private var outageNotes: [String] {
        var notes: [String] = []
        if let freshness = context.serving.freshness, freshness.isUsable, !freshness.isAnswering {
            notes.append(
                """
                the database does not answer; devices get what was valid \(freshness.ageMicroseconds / 1_000_000) s ago, for \
                at most \(context.services.limits.staleServingHours) hours
                """)
        }
        if !context.services.blobs.isAnswering {
            notes.append("the model store does not answer; devices get the model files that this server has kept")
        }
        return notes
    }

    /// What an operator should know about a database that answers.
    private var databaseNotes: [String] {
        var notes = metadata.coordination.lockProblems.map(\.summary)
        if let replacement = metadata.replacement, replacement.ageMicroseconds < Self.replacementNoteMicroseconds {
            notes.append("\(replacement.ageMicroseconds / 1_000_000) s ago: \(replacement.summary)")
        }
        return notes
    }

    /// Long enough for a person to look. The counter in the metrics stays.
    private static let replacementNoteMicroseconds: Int64 = 86_400_000_000

    private func databaseProblem(_ head: RequestHead) -> String? {
        // A database elsewhere is not asked, because no thread of the HTTP server waits for it.
        if let freshness = context.serving.freshness {
            if metadata.isDamaged { return Self.damage }
            return freshness.isUsable
                ? nil
                : "the database has not answered for \(freshness.ageMicroseconds / 1_000_000) s, and keys may have been "
                    + "revoked meanwhile, so devices get no answers"
        }
        do {
            _ = try metadata.read { try $0.projects().count }
            // The snapshot that answers devices and checks keys. It is made again only after a change.
            _ = try context.serving.current()
            return metadata.isDamaged ? Self.damage : nil
        } catch {
            // The cause may name files, so it is only in the log.
            context.log("\(head.id) \(head.method) \(head.path): \(error)")
            let isDamage = metadata.isDamaged || (error as? StorageError)?.code == .corrupt
            return isDamage ? Self.damage : "the database cannot be read"
        }
    }

    private static let damage = "the database is damaged; stop the server and restore a backup into a new folder"

    private static func plain(_ text: String, status: Int = 200) -> Response {
        var response = Response.text(text, status: status)
        response.headers["Cache-Control"] = "no-store"
        return response
    }
}

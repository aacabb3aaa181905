import HearthHTTP
import HearthStorage

/// For load balancers, container platforms and scripts that wait. Nobody needs a key for these.
struct HealthRoutes {
    private let context: RouteContext

    init(_ context: RouteContext) { self.context = context }

    var routes: [Route] {
        [
            // The process is alive. Nothing else is looked at: a server that waits for its disk is not helped by a restart.
            Route(.get, "healthz") { _, _ in .answer(Self.plain("ok\n")) },
            Route(.get, "readyz") { head, _ in .answer(ready(head)) },
        ]
    }

    /// Whether requests should be sent here: 200, or 503 with one line per reason why not.
    private func ready(_ head: RequestHead) -> Response {
        var reasons: [String] = []
        do {
            _ = try context.services.metadata.read { try $0.projects().count }
        } catch {
            // The cause may name files: the log has it.
            context.log("\(head.id) \(head.method) \(head.path): \(error)")
            reasons.append("the database does not answer")
        }
        reasons += context.services.obstacles()
        return reasons.isEmpty
            ? Self.plain("ok\n") : Self.plain(reasons.map { "not ready: \($0)\n" }.joined(), status: 503)
    }

    private static func plain(_ text: String, status: Int = 200) -> Response {
        var response = Response.text(text, status: status)
        response.headers["Cache-Control"] = "no-store"
        return response
    }
}

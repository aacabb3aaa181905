import HearthHTTP
import HearthStorage

/// For load balancers and scripts that wait: 200 when the database answers.
struct HealthRoutes {
    private let context: RouteContext

    init(_ context: RouteContext) { self.context = context }

    var routes: [Route] {
        [
            Route(.get, "healthz") { head, _ in
                context.answer(head) {
                    _ = try context.services.metadata.read { try $0.projects().count }
                    return .text("ok\n")
                }
            }
        ]
    }
}

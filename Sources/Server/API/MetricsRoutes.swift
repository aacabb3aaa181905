import HearthHTTP
import HearthMetrics
import HearthWire

/// `/metrics`: what the server counts of itself. For programs on this machine and for the addresses that were named.
struct MetricsRoutes {
    static let pattern = "metrics"

    private let context: RouteContext
    private let metrics: ServerMetrics

    init(_ context: RouteContext, _ metrics: ServerMetrics) {
        self.context = context
        self.metrics = metrics
    }

    var routes: [Route] {
        [
            Route(.get, Self.pattern) { head, _ in
                context.answer(head) {
                    guard head.isLoopback || context.services.metricsReaders.contains(head.remoteAddress) else {
                        throw APIError(.permissionDenied, "Metrics are not for this address; see metrics-allow.")
                    }
                    return Response(
                        status: 200,
                        headers: ["Content-Type": ServerMetrics.contentType, "Cache-Control": "no-store"],
                        body: .bytes(Array(metrics.text.utf8)))
                }
            }
        ]
    }
}

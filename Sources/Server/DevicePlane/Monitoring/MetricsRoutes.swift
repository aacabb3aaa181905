import HearthCalls
import HearthHTTP
import HearthMetrics
import HearthRouting
import HearthServing
import HearthStorage
import HearthWire

/// `/metrics`: what the server counts about itself. For clients on this machine, and for the addresses in the settings.
package struct MetricsRoutes {
    package static let pattern = "metrics"

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
                        throw APIError(
                            .permissionDenied, "This address may not read metrics; see the setting metrics-allow.")
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

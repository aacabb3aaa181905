import HearthHTTP
import HearthMetrics

/// What the server counts of peers that it does not put up with.
enum ConnectionMetrics {
    static func add(of http: HTTPServer, to metrics: ServerMetrics) {
        for reason in DisconnectReason.allCases {
            let name = reason.name.replacing("-", with: "_")
            metrics.add("hearth_http_ended_\(name)_total", .counter, help(reason)) {
                [weak http] in http.map { Double($0.connectionsEnded(reason)) }
            }
        }
        metrics.add(
            "hearth_http_connections_refused_total", .counter,
            "Connections closed unanswered because their network held too many."
        ) {
            [weak http] in http.map { Double($0.refusedConnections) }
        }
        metrics.add(
            "hearth_http_client_requests_refused_total", .counter,
            "Requests behind a proxy refused because their client had too many in progress."
        ) {
            [weak http] in http.map { Double($0.refusedClientRequests) }
        }
    }

    private static func help(_ reason: DisconnectReason) -> String {
        switch reason {
        case .slowHead: "Connections ended because a request's head took too long to arrive."
        case .slowBody: "Connections ended because a request's body arrived too slowly."
        case .slowReader: "Connections ended because the peer took an answer too slowly."
        case .crowded: "Connections ended because connections were scarce and the peer's network held the most."
        }
    }
}

import HearthHTTP

/// How many peers are served, and how long they may take.
enum ConnectionSettings: SettingSection {
    static let title = "Connections"

    static let settings: [ServerSetting] = [
        .number(
            "threads", \.connections.threads, 1...1024, "Threads that answer.", defaultSummary: "one per processor"),
        .number("connections", \.connections.connections, 1...1_000_000, "Connections open at once; more wait."),
        .number(
            "connections-per-address", \.connections.connectionsPerAddress, 0...1_000_000,
            "Connections open at once from one peer address (IPv6: /64 network), other than trusted proxies; 0 means any number."
        ),
        .number(
            "client-requests", \.connections.clientRequests, 0...1_000_000,
            "Requests in progress at once of one client behind trusted proxies; a quarter of the connections at most; 0 means any number."
        ),
        .number(
            "idle-seconds", \.connections.idleSeconds, 0...86_400,
            "Seconds without a byte before a connection is closed; 0 means never."),
        .seconds(
            "head-seconds", \.connections.headSeconds, 0...86_400,
            "Seconds from the first byte of a request's header to its last; 0 means any time."),
        .number(
            "least-bytes-per-second", \.connections.leastBytesPerSecond, 0...1_000_000_000,
            "Bytes per second below which an upload or a download is cut; 0 means any rate."),
        .seconds(
            "rate-window-seconds", \.connections.rateWindowSeconds, 1...3600,
            "Seconds over which least-bytes-per-second is counted."),
        .number("header-bytes", \.connections.headerBytes, 256...1_048_576, "Largest request line with header."),
        .number("header-fields", \.connections.headerFields, 1...10_000, "Most header fields of one request."),
        .seconds(
            "linger-seconds", \.connections.lingerSeconds, 0...3600,
            "Seconds that a refused upload may go on sending before it is cut."),
        .seconds(
            "drain-seconds", \.drainSeconds, 0...3600,
            "Seconds that a server asked to stop serves on, and /readyz answers 503."),
        .seconds(
            "stop-grace-seconds", \.connections.stopGraceSeconds, 0...3600,
            "Seconds that running transfers get to end when the server stops."),
    ]
}

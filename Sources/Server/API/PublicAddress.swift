import HearthHTTP

/// Under which address a caller reaches this server: links must be absolute.
enum PublicAddress {
    /// `--public-url` if given; else what a trusted proxy says it was asked for; else the Host header where a
    /// program on this machine asks for the machine itself, because else it would let a caller choose where other people's
    /// links lead; else the address listened on.
    static func base(_ head: RequestHead, _ services: Services) -> String {
        if let url = services.publicURL { return url.hasSuffix("/") ? String(url.dropLast()) : url }
        if let forwarded = head.forwarded {
            guard let host = forwarded.host, isPlain(host) else { return services.localURL() }
            return "\(forwarded.scheme ?? "http")://\(host)"
        }
        guard head.isLoopback, let host = head.headers["Host"], isPlain(host) else { return services.localURL() }
        let scheme = services.localURL().hasPrefix("https://") ? "https" : "http"
        return "\(scheme)://\(host)"
    }

    private static func isPlain(_ host: String) -> Bool {
        (1...255).contains(host.utf8.count)
            && host.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte)
                    || [0x2D, 0x2E, 0x3A, 0x5B, 0x5D].contains(byte)
            }
    }
}

package import HearthHTTP

/// The address under which a caller reaches this server. Links need it because they must be absolute.
package enum PublicAddress {
    /// The first of these that applies: `--public-url`; the address that a trusted proxy was asked for; the `Host`
    /// header, if a client on this machine asks for the machine itself; the address that the server listens on. The
    /// `Host` header of other clients does not count, because it would let a caller choose where other users' links
    /// lead.
    package static func base(_ head: RequestHead, _ services: Services) -> String {
        base(head, url: services.publicURL, local: services.localURL())
    }

    /// The address under which people and tools reach this server, which may be one of their own.
    package static func adminBase(_ head: RequestHead, _ services: Services) -> String {
        guard let local = services.localAdminURL() else { return base(head, services) }
        return base(head, url: services.adminURL, local: local)
    }

    /// Where devices reach the server. Someone who asks at the address of people and tools has another one in the `Host`
    /// header.
    package static func deviceBase(_ head: RequestHead, _ services: Services) -> String {
        guard services.localAdminURL() != nil else { return base(head, services) }
        return base(head, url: services.publicURL ?? services.localURL(), local: services.localURL())
    }

    private static func base(_ head: RequestHead, url: String?, local: String) -> String {
        if let url { return url.hasSuffix("/") ? String(url.dropLast()) : url }
        if let forwarded = head.forwarded {
            guard let host = forwarded.host, isPlain(host) else { return local }
            return "\(forwarded.scheme ?? "http")://\(host)"
        }
        guard head.isLoopback, let host = head.headers["Host"], isPlain(host) else { return local }
        return (local.utf8.starts(with: "https:".utf8) ? "https://" : "http://") + host
    }

    private static func isPlain(_ host: String) -> Bool {
        (1...255).contains(host.utf8.count) && host.utf8.allSatisfy(isPlain)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":"),
            UInt8(ascii: "["), UInt8(ascii: "]"):
            true
        default:
            false
        }
    }
}

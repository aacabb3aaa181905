import HearthHTTP

/// Which audiences of a signed assertion name this server.
///
/// Whoever gets hold of an assertion for another server may write that server's name into the `Host` field: so no name counts
/// for being asked for.
enum TokenAudience {
    private static let path = "/token"

    /// Whether it is `/token` under `--public-url`, else under what a trusted proxy was asked for; under the address
    /// listened on; or, for a program on this machine, under any name of the machine itself.
    static func isOurs(_ audience: String, _ head: RequestHead, _ services: Services) -> Bool {
        guard audience.hasSuffix(path) else { return false }
        let base = String(audience.dropLast(path.count))
        if base == PublicAddress.base(head, services) || base == services.localURL() { return true }
        guard let mark = base.firstRange(of: "://") else { return false }
        let (scheme, host) = (base[..<mark.lowerBound].lowercased(), base[mark.upperBound...].lowercased())
        guard scheme == "https" || scheme == "http" else { return false }
        if head.isLoopback { return LoopbackHost.matches(host) }
        // Many proxies tell the name without the scheme.
        return services.publicURL == nil && head.forwarded?.host?.lowercased() == host
    }
}

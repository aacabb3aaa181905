import HearthHTTP

/// Where a client is, as the proxy in front of the server knows it.
enum ProxyCountry {
    /// Two capital letters (ISO 3166-1); nil where no header field was named for it, the peer is no trusted proxy, or the
    /// value is no country.
    static func of(_ head: RequestHead, _ services: Services) -> String? {
        guard let name = services.countryHeader, head.forwarded != nil else { return nil }
        // A client may have sent the field too: the last one is the nearest proxy's.
        guard let value = head.headers.values(name).last?.uppercased() else { return nil }
        let isCountry = value.utf8.count == 2 && value.utf8.allSatisfy { (0x41...0x5A).contains($0) }
        return isCountry && !unknown.contains(value) ? value : nil
    }

    /// What proxies say when they do not know.
    private static let unknown: Set<String> = ["XX", "ZZ"]
}

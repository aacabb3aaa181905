/// What a trusted proxy says about a request that it forwards.
package struct ForwardedRequest: Sendable, Hashable {
    /// The last address on the request's way that is not a trusted proxy.
    package let client: String
    /// The client's network; `nil` if all named addresses are trusted proxies.
    let clientNetwork: IPAddress?
    /// `http` or `https`, as the client reached the proxy (`X-Forwarded-Proto`); `nil` if the proxy does not say.
    package let scheme: String?
    /// The host that the client asked for (`X-Forwarded-Host`), with a port if it is not the default one.
    package let host: String?

    /// `nil` if `peer` is not a trusted proxy: then any client may have made up the header fields.
    ///
    /// Every proxy appends the address of its peer to `X-Forwarded-For`. So the list is trusted from its end, as long
    /// as the addresses are those of trusted proxies; what a client wrote before them is never read. Of the other
    /// fields the last value counts, which is that of the nearest proxy. `Forwarded` (RFC 7239) is not read: a proxy
    /// that writes one of the two kinds forwards the other as the client sent it.
    init?(peer: String, headers: HTTPHeaders, trusted: AddressRanges) {
        guard !trusted.isEmpty, let address = IPAddress(peer), trusted.contains(address) else { return nil }
        var client = address
        var isProxy = true
        for item in Self.items(headers, "X-Forwarded-For").reversed() {
            // The proxy does not know the address. No trusted proxy wrote what comes before that.
            guard let hop = Self.address(item) else { break }
            client = hop
            isProxy = trusted.contains(hop)
            guard isProxy else { break }
        }
        self.client = client.text
        clientNetwork = isProxy ? nil : client.network
        let scheme = Self.items(headers, "X-Forwarded-Proto").last?.lowercased()
        self.scheme = scheme == "http" || scheme == "https" ? scheme : nil
        host = Self.items(headers, "X-Forwarded-Host").last.map(String.init)
    }

    /// Whether a request came through any proxy, trusted or not. It may only reduce the trust in a request.
    static func isHinted(by headers: HTTPHeaders) -> Bool {
        headers.contains("X-Forwarded-For") || headers.contains("Forwarded") || headers.contains("X-Real-IP")
            || headers.contains("Via")
    }

    /// The comma-separated items of all fields of that name, without the blanks around them.
    private static func items(_ headers: HTTPHeaders, _ name: String) -> [Substring] {
        headers.values(name).flatMap { value in
            value.split(separator: ",", omittingEmptySubsequences: false).map { item in
                var item = item.drop { $0 == " " || $0 == "\t" }
                while item.last == " " || item.last == "\t" { item.removeLast() }
                return item
            }
        }
    }

    /// An address, which some proxies write with its port: `192.0.2.1:4711`, `[2001:db8::1]:4711`.
    private static func address(_ item: Substring) -> IPAddress? {
        if item.hasPrefix("[") {
            guard let end = item.firstIndex(of: "]") else { return nil }
            return IPAddress(item[item.index(after: item.startIndex)..<end])
        }
        let parts = item.split(separator: ":", omittingEmptySubsequences: false)
        return IPAddress(parts.count == 2 ? parts[0] : item)
    }
}

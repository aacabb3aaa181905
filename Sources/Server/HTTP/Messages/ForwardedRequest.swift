/// What a trusted proxy says about a request that it passes on.
package struct ForwardedRequest: Sendable, Hashable {
    /// The nearest address on the request's way that is no trusted proxy.
    package let client: String
    /// The client's network; `nil` where all that is named are trusted proxies.
    let clientNetwork: IPAddress?
    /// `http` or `https`, as the client reached the proxy (`X-Forwarded-Proto`); `nil` where the proxy does not say.
    package let scheme: String?
    /// The host, with a port where it is not the usual one, that the client asked for (`X-Forwarded-Host`).
    package let host: String?

    /// `nil` where `peer` is not among the trusted proxies: then the header fields are a stranger's claims.
    ///
    /// Every proxy appends the address that it was asked from to `X-Forwarded-For`, so the list is believed from its
    /// end, as far as the addresses are those of trusted proxies; what a client wrote in front of them is never read.
    /// The other fields count in their last value, the one of the nearest proxy. `Forwarded` (RFC 7239) is not read: a
    /// proxy that writes one of the two kinds passes the other on as it came from the client.
    init?(peer: String, headers: HTTPHeaders, trusted: AddressRanges) {
        guard !trusted.isEmpty, let address = IPAddress(peer), trusted.contains(address) else { return nil }
        var client = address
        var isProxy = true
        for item in Self.items(headers, "X-Forwarded-For").reversed() {
            // A proxy that says it does not know: what stands in front of that was told by nobody who is trusted.
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

    /// Whether a request came through some proxy, trusted or not. Only ever used to believe a request less.
    static func isHinted(by headers: HTTPHeaders) -> Bool {
        headers.contains("X-Forwarded-For") || headers.contains("Forwarded") || headers.contains("X-Real-IP")
            || headers.contains("Via")
    }

    /// The comma-separated items of all fields of that name, blanks around them dropped.
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

/// A `Host` field that names the machine itself: `localhost` or a loopback address, with a port or without.
///
/// A request on loopback for any other name may come from a proxy that tells nothing of itself, or from a browser which
/// was made to believe that the name leads here (DNS rebinding).
package enum LoopbackHost {
    package static func matches(_ host: String) -> Bool {
        var host = host
        // Lent bytes: this is asked with every look-up of a model, and parts of a `String` are slow to look at.
        return host.withUTF8 { matches($0[...]) }
    }

    private typealias Text = Slice<UnsafeBufferPointer<UInt8>>

    private static func matches(_ host: Text) -> Bool {
        let isBracketed = host.first == UInt8(ascii: "[")
        let mark = host.firstIndex(of: isBracketed ? UInt8(ascii: "]") : UInt8(ascii: ":"))
        guard let end = mark ?? (isBracketed ? nil : host.endIndex) else { return false }
        let name = isBracketed ? host[..<end].dropFirst() : host[..<end]
        let rest = isBracketed ? host[end...].dropFirst() : host[end...]
        return isPort(rest) && isThisMachine(name, isBracketed)
    }

    private static func isThisMachine(_ name: Text, _ isBracketed: Bool) -> Bool {
        // Brackets are for IPv6 (RFC 3986, 3.2.2).
        guard isBracketed == name.contains(UInt8(ascii: ":")) else { return false }
        let name = String(decoding: UnsafeBufferPointer(rebasing: name), as: UTF8.self)
        if IPAddress(name)?.isLoopback == true { return true }
        return !isBracketed && name.lowercased() == "localhost"
    }

    /// Nothing, or a colon and digits, if any.
    private static func isPort(_ text: Text) -> Bool {
        text.isEmpty
            || text.first == UInt8(ascii: ":") && text.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
    }
}

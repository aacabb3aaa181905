import HearthHTTP

/// Where a browser reaches this server, as far as the server can know: scheme and host.
struct WebOrigin: Sendable, Hashable {
    let scheme: String
    /// With the port, if it is not the scheme's default.
    let host: String

    /// Parses `https://host:port`, also with a path behind.
    init?(_ url: String) {
        guard let mark = url.firstRange(of: "://") else { return nil }
        let scheme = url[..<mark.lowerBound].lowercased()
        let host = url[mark.upperBound...].prefix { $0 != "/" && $0 != "?" }.lowercased()
        guard scheme == "http" || scheme == "https", !host.isEmpty else { return nil }
        self.scheme = scheme
        let usual = scheme == "https" ? ":443" : ":80"
        self.host = host.hasSuffix(usual) ? String(host.dropLast(usual.count)) : host
    }

    var isSecure: Bool { scheme == "https" }
    var text: String { "\(scheme)://\(host)" }

    /// Whether the browser says that the request comes from a page of the same server.
    ///
    /// The `Origin` of a form or a script names the page that sent it, and no page can change it. It is one of ours if it
    /// is the server's public address, or if it has the host that the same browser sent the request to. Programs that are
    /// not browsers can send any `Origin`, but have no one's session.
    ///
    /// - Parameters:
    ///   - publicAddress: that of `public-url`.
    ///   - isSecure: whether the browser reaches this server by https. Then a page of the same host that came by http is
    ///     not ours: somebody on the way may have written it.
    static func isOwn(_ head: RequestHead, publicAddress: WebOrigin?, isSecure: Bool) -> Bool {
        guard let origin = head.headers["Origin"].flatMap(WebOrigin.init) else { return false }
        if origin == publicAddress { return true }
        guard origin.isSecure || !isSecure else { return false }
        let host = head.forwarded?.host ?? head.headers["Host"]
        return host.flatMap { WebOrigin("\(origin.scheme)://\($0)") } == origin
    }
}

/// A request target taken apart: the path as sent, its decoded segments, its custom verb, its query.
struct RequestTarget: Sendable {
    let path: String
    /// Decoded once each; a trailing slash adds none.
    let segments: [String]
    /// As `segments`, with the custom verb cut from the last one.
    let stems: [String]
    /// What follows the last unescaped `:` of the last segment. An escaped colon (`%3A`) is data, not a verb.
    let verb: String?
    let query: QueryItems

    init(_ target: String) throws(HTTPFault) {
        guard target.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }) else {
            throw .badRequest("The request target has a character that must be percent-encoded.")
        }
        let parts = try Self.originForm(target).split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let query = QueryItems(parts.count > 1 ? parts[1] : "") else {
            throw .badRequest("The query string is not valid percent-encoded UTF-8.")
        }
        self.query = query
        path = String(parts[0])

        var raw = parts[0].dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        if raw.last == "" { raw.removeLast() }
        segments = try Self.decoded(raw)
        if let last = raw.last, let colon = last.lastIndex(of: ":") {
            raw[raw.count - 1] = last[..<colon]
            stems = try Self.decoded(raw)
            verb = try Self.decoded([last[last.index(after: colon)...]])[0]
        } else {
            stems = segments
            verb = nil
        }
    }

    /// The target without scheme and authority, which a client may send and a server must accept (RFC 9112, 3.2.2).
    private static func originForm(_ target: String) throws(HTTPFault) -> Substring {
        if target.hasPrefix("/") { return target[...] }
        let lowercase = target.lowercased()
        for scheme in ["http://", "https://"] where lowercase.hasPrefix(scheme) {
            let rest = target.dropFirst(scheme.count)
            guard let end = rest.firstIndex(where: { $0 == "/" || $0 == "?" }) else { return "/" }
            return rest[end] == "/" ? rest[end...] : "/" + rest[end...]
        }
        throw .badRequest("The request target must be a path that begins with '/'.")
    }

    private static func decoded(_ raw: [Substring]) throws(HTTPFault) -> [String] {
        var result: [String] = []
        for segment in raw {
            guard let text = PercentEncoding.decode(segment) else {
                throw .badRequest("The path is not valid percent-encoded UTF-8.")
            }
            guard text != ".", text != ".." else {
                throw .badRequest("The path must not contain '.' or '..' segments.")
            }
            result.append(text)
        }
        return result
    }

    /// `target` for logs: the path and the names of the query items, their values replaced by `*`, since keys and
    /// tokens travel there. An item without `=` may be a bare secret and is replaced whole.
    /// A target beyond 1,000 bytes is cut, so that one request cannot flood a log.
    static func redacted(_ target: some Collection<UInt8>) -> String {
        let visible = PercentEncoding.visible(target.prefix(1000))
        let parts = visible.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count > 1 else { return visible }
        let items = parts[1].split(separator: "&").map { item in
            item.firstIndex(of: "=").map { item[...$0] + "*" } ?? "*"
        }
        return parts[0] + "?" + items.joined(separator: "&")
    }
}

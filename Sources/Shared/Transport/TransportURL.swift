import CCurl

/// An absolute http or https URL that curl can use safely, and its parts.
package struct TransportURL: Sendable {
    package let text: String
    package let scheme: String
    package let host: String
    package let port: String

    /// Host and port, for error texts, because a wrong port is a common mistake.
    var authority: String { "\(host):\(port)" }

    private static var beginning: Regex<Substring> { /^[A-Za-z]+:\/\/[^\/]/ }

    /// Whether scheme, host and port are the same, so that credentials may be sent.
    func hasSameOrigin(as other: TransportURL) -> Bool {
        scheme == other.scheme && host == other.host && port == other.port
    }

    /// Checks `text`; throws `badURL` for everything except an absolute http or https URL.
    package init(_ text: String) throws(TransportError) {
        let parser = try URLParser()
        // curl would read "http:///path" as a host called "path".
        guard !text.utf8.contains(0), text.contains(Self.beginning), parser.set(text, flags: 0) else {
            throw TransportError(.badURL, "the address is not a valid URL; give one like https://host/path")
        }
        try self.init(parser)
    }

    /// Resolves `reference`, the value of a `Location` header, against `base`.
    init(resolving reference: String, from base: TransportURL) throws(TransportError) {
        let parser = try URLParser()
        guard parser.set(base.text, flags: 0), !reference.utf8.contains(0),
            // Servers write spaces and non-ASCII letters into `Location` without encoding them.
            parser.set(reference, flags: UInt32(CURLU_URLENCODE))
        else { throw TransportError(.badURL, "\(base.host) redirects to an address that is not a valid URL") }
        try self.init(parser)
    }

    private init(_ parser: borrowing URLParser) throws(TransportError) {
        guard let text = parser.part(CURLUPART_URL), let scheme = parser.part(CURLUPART_SCHEME)?.lowercased(),
            let host = parser.part(CURLUPART_HOST)?.lowercased(), let port = parser.part(CURLUPART_PORT)
        else { throw TransportError(.badURL, "the address names no host; give one like https://host/path") }
        guard scheme == "http" || scheme == "https" else {
            throw TransportError(.badURL, "the address of \(host) is neither http nor https")
        }
        guard parser.part(CURLUPART_USER) == nil, parser.part(CURLUPART_PASSWORD) == nil else {
            throw TransportError(
                .badURL, "the address of \(host) carries a user name or password; send an Authorization header instead")
        }
        (self.text, self.scheme, self.host, self.port) = (text, scheme, host, port)
    }
}

/// Owns one `CURLU`: created in `init`, freed once in `deinit`.
private struct URLParser: ~Copyable {
    private let pointer: OpaquePointer

    init() throws(TransportError) {
        guard let pointer = curl_url() else { throw TransportError(.other, "there is no memory left for a URL") }
        self.pointer = pointer
    }

    /// Replaces the URL with `text`, or resolves `text` against it when it is relative.
    func set(_ text: String, flags: UInt32) -> Bool {
        curl_url_set(pointer, CURLUPART_URL, text, flags) == CURLUE_OK
    }

    func part(_ part: CURLUPart) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        // The port is needed even if the URL leaves it to the scheme; the URL itself stays as it was written.
        let flags = part == CURLUPART_PORT ? UInt32(CURLU_DEFAULT_PORT) : 0
        guard curl_url_get(pointer, part, &text, flags) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }

    deinit {
        curl_url_cleanup(pointer)
    }
}

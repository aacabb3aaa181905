/// A checked request for curl: one hop of a `TransportRequest`.
package struct OutgoingRequest {
    package var method: String
    package var url: TransportURL
    package var headers: [(String, String)]
    package var body: TransportRequest.Body

    var hasBody: Bool {
        if case .none = body { false } else { true }
    }

    /// Refuses every text that could end a line early and so add a header or a second request.
    package init(_ request: TransportRequest) throws(TransportError) {
        url = try TransportURL(request.url)
        guard Self.isToken(request.method) else {
            throw TransportError(.badRequest, "the request method is not a plain word such as GET")
        }
        for (name, value) in request.headers {
            try Self.check(name: name, value: value)
        }
        (method, headers, body) = (request.method, request.headers, request.body)
    }

    private static func check(name: String, value: String) throws(TransportError) {
        guard isToken(name) else {
            throw TransportError(.badRequest, "a header name is empty or has characters that header names cannot have")
        }
        guard !["content-length", "transfer-encoding"].contains(name.lowercased()) else {
            throw TransportError(.badRequest, "the transport sets \(name) itself; leave it out")
        }
        guard !value.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7f }) else {
            throw TransportError(.badRequest, "the value of header \(name) contains a line break or control character")
        }
    }

    /// Whether the text is a token of RFC 9110, as methods and header names are.
    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { character in
                switch character {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default:
                    "!#$%&'*+-.^_`|~".utf8.contains(character)
                }
            }
    }
}

/// A request head as it came over a connection, checked, with the framing of its body.
struct RequestArrival {
    let head: RequestHead
    let framing: RequestFraming

    init(
        connection: Connection, method: String, version: String, target: [UInt8], id: String, service: Service
    ) throws(HTTPFault) {
        let limits = service.limits
        let fields = connection.headers()
        guard connection.headerBytes <= limits.headerBytes, fields.count <= limits.headerFields else {
            throw HTTPFault(
                status: 431,
                message: "The request header is larger than the \(limits.headerBytes) bytes or "
                    + "\(limits.headerFields) fields accepted here.")
        }
        guard HTTPHeaders.isToken(method), fields.allSatisfy({ HTTPHeaders.isToken($0.name) }) else {
            throw .badRequest("The method or the name of a header field has a character that is not allowed there.")
        }
        // The framing is judged on the values as libmicrohttpd reads them, which keeps trailing blanks: "chunked " is
        // chunked for some readers only.
        framing = try RequestFraming(headers: HTTPHeaders(fields), isHTTP11: version == "HTTP/1.1")
        let headers = HTTPHeaders(fields.map { ($0.name, Self.withoutTrailingBlanks($0.value)) })
        head = try RequestHead(
            method: HTTPMethod(rawValue: method), target: String(decoding: target, as: UTF8.self), headers: headers,
            contentLength: headers["Content-Length"] == nil ? nil : framing.length,
            remoteAddress: connection.remoteAddress, trustedProxies: service.trustedProxies, id: id)
    }

    private static func withoutTrailingBlanks(_ value: String) -> String {
        var text = value[...]
        while let last = text.utf8.last, last == 0x20 || last == 0x09 { text.removeLast() }
        return String(text)
    }
}

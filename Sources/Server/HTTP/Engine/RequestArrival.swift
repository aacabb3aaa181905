/// A request head as it came over a connection, checked, with the framing of its body.
struct RequestArrival {
    let head: RequestHead
    let framing: RequestFraming

    init(
        connection: Connection, remoteAddress: String, method: HTTPMethod, version: String, target: [UInt8],
        id: RequestID, service: Service
    ) throws(HTTPFault) {
        let limits = service.limits
        let bytes = connection.headerBytes
        let count = connection.fieldCount
        guard bytes <= limits.headerBytes, count <= limits.headerFields else {
            throw HTTPFault(
                status: 431,
                message: "The request header is larger than the \(limits.headerBytes) bytes or "
                    + "\(limits.headerFields) fields accepted here.")
        }
        guard Token.isValid(method.rawValue), let fields = connection.headers(count: count, bytes: bytes) else {
            throw .badRequest("The method or the name of a header field has a character that is not allowed there.")
        }
        // A proxy in front may have looked at another one of several (RFC 9112, 3.2).
        guard fields.count(of: "Host") <= 1 else { throw .badRequest("A request may have only one Host field.") }
        // The framing is judged on the values as libmicrohttpd reads them, which keeps trailing blanks: "chunked " is
        // chunked for some readers only.
        framing = try RequestFraming(headers: fields, isHTTP11: version == "HTTP/1.1")
        let headers = fields.withoutTrailingBlanks
        head = try RequestHead(
            method: method, target: target, headers: headers,
            contentLength: headers["Content-Length"] == nil ? nil : framing.length,
            remoteAddress: remoteAddress, trustedProxies: service.trustedProxies, requestID: id)
    }
}

/// A request head as it came over a connection, checked, with the framing of its body.
struct RequestArrival {
    let head: RequestHead
    let framing: RequestFraming

    init(
        connection: Connection, method: String, version: String, target: [UInt8], id: String, limits: ServerLimits
    ) throws(HTTPFault) {
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
        var headers = HTTPHeaders()
        for (name, value) in fields { headers.add(name, value) }
        framing = try RequestFraming(headers: headers, isHTTP11: version == "HTTP/1.1")
        head = try RequestHead(
            method: HTTPMethod(rawValue: method), target: String(decoding: target, as: UTF8.self), headers: headers,
            contentLength: headers["Content-Length"] == nil ? nil : framing.length,
            remoteAddress: connection.remoteAddress, id: id)
    }
}

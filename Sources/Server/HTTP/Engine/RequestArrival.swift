/// A request head as it came over a connection, checked, with the framing of its body.
struct RequestArrival {
    let head: RequestHead
    let framing: RequestFraming

    init(
        connection: Connection, remoteAddress: String, method: HTTPMethod, version: String, target: [UInt8],
        firstLine: HeadLayout, id: RequestID, service: Service
    ) throws(HTTPFault) {
        let fields = try Self.fields(connection, service.limits, firstLine)
        guard Token.isValid(method.rawValue), fields.hasValidNames else {
            throw .badRequest("The method or the name of a header field has a character that is not allowed there.")
        }
        guard fields.layout.isPlain(headBytes: connection.headerBytes), !fields.hasControls else {
            throw .badRequest(
                "The request's head must have single blanks in its first line, lines that end with CR LF and are not "
                    + "folded, and no control characters.")
        }
        // A proxy in front may have looked at another one of several (RFC 9112, 3.2).
        let hosts = fields.headers.count(of: "Host")
        guard hosts <= 1 else { throw .badRequest("A request may have only one Host field.") }
        guard hosts == 1 || version == "HTTP/1.0" else { throw .badRequest("A request must have a Host field.") }
        framing = try Self.framing(fields, version: version)
        let headers = fields.headers.withoutTrailingBlanks
        head = try RequestHead(
            method: method, target: target, headers: headers,
            contentLength: headers["Content-Length"] == nil ? nil : framing.length,
            remoteAddress: remoteAddress, trustedProxies: service.trustedProxies, requestID: id)
    }

    /// Why libmicrohttpd does not take a head that has arrived whole: the announced length, or else too many cookies for the
    /// connection's memory.
    static func fault(of connection: Connection, firstLine: HeadLayout, limits: ServerLimits) -> HTTPFault {
        do throws(HTTPFault) {
            _ = try framing(try fields(connection, limits, firstLine), version: "HTTP/1.1")
            return HTTPFault(status: 431, message: "The request has more cookies than are accepted here.")
        } catch {
            return error
        }
    }

    private static func fields(
        _ connection: Connection, _ limits: ServerLimits, _ firstLine: HeadLayout
    ) throws(HTTPFault) -> CollectedFields {
        let bytes = connection.headerBytes
        let count = connection.fieldCount
        guard bytes <= limits.headerBytes, count <= limits.headerFields else { throw tooLarge(limits) }
        return connection.fields(count: count, bytes: bytes, firstLine: firstLine)
    }

    /// Judged on the values as libmicrohttpd reads them, which keeps trailing blanks: "chunked " is chunked for some
    /// readers only.
    private static func framing(_ fields: CollectedFields, version: String) throws(HTTPFault) -> RequestFraming {
        try RequestFraming(headers: fields.headers, isHTTP11: version == "HTTP/1.1")
    }

    private static func tooLarge(_ limits: ServerLimits) -> HTTPFault {
        HTTPFault(
            status: 431,
            message: "The request header is larger than the \(limits.headerBytes) bytes or "
                + "\(limits.headerFields) fields accepted here.")
    }
}

/// A request head that arrived over a connection, checked, with the framing of its body.
struct RequestArrival {
    let head: RequestHead
    let framing: RequestFraming

    init(
        connection: Connection, remoteAddress: String, method: HTTPMethod, version: String, target: [UInt8],
        firstLine: HeadLayout, id: RequestID, service: ServerContext
    ) throws(HTTPFault) {
        let fields = try Self.fields(connection, service.limits, firstLine)
        guard HTTPToken.isValid(method.rawValue), fields.hasValidNames else {
            throw .badRequest("The method or the name of a header field has a character that is not allowed there.")
        }
        guard fields.layout.isPlain(headBytes: connection.headerBytes), !fields.hasControls else {
            throw .badRequest(
                "The request's head must have single blanks in its first line, lines that end with CR LF and are not "
                    + "folded, and no control characters.")
        }
        // With several, a proxy in front may have read another one than this server (RFC 9112, 3.2).
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

    /// Why libmicrohttpd refuses a head that has arrived: the announced length, or otherwise too many cookies for the
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

    /// Uses the values as libmicrohttpd reads them, with trailing blanks: only some readers take "chunked " for
    /// chunked.
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

/// How a request's body is delimited. Its fields decide, and everything that two readers could read differently is
/// refused (request smuggling).
enum RequestFraming: Equatable {
    case none
    case length(UInt64)
    case chunked

    init(headers: HTTPHeaders, isHTTP11: Bool) throws(HTTPFault) {
        let encodings = headers.values("Transfer-Encoding")
        let lengths = headers.values("Content-Length")
        guard encodings.isEmpty || lengths.isEmpty else {
            throw .badRequest("A request must not have both Content-Length and Transfer-Encoding.")
        }
        guard lengths.count <= 1, encodings.count <= 1 else {
            throw .badRequest("Content-Length and Transfer-Encoding may be sent only once.")
        }
        if let encoding = encodings.first {
            guard isHTTP11, encoding.lowercased() == "chunked" else {
                throw HTTPFault(status: 501, message: "Only 'Transfer-Encoding: chunked' of HTTP/1.1 is understood.")
            }
            self = .chunked
        } else if let length = lengths.first {
            guard !length.isEmpty, length.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                throw .badRequest("Content-Length must be a decimal number of bytes.")
            }
            guard let bytes = UInt64(length) else {
                throw HTTPFault(status: 413, message: "Content-Length names more bytes than any server accepts.")
            }
            self = bytes == 0 ? .none : .length(bytes)
        } else {
            self = .none
        }
    }

    /// The announced bytes; `nil` for a chunked body.
    var length: UInt64? {
        switch self {
        case .none: 0
        case .length(let bytes): bytes
        case .chunked: nil
        }
    }
}

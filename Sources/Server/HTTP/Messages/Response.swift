/// An answer: status, header fields, body.
///
/// The server sets `Date`, `Content-Length` and the fields of the connection itself; a `Content-Length` or
/// `Transfer-Encoding` among `headers` is left out. A status outside 200...599 is answered as 500.
package struct Response: Sendable {
    package var status: Int { didSet { encoded = nil } }
    package var headers: HTTPHeaders { didSet { encoded = nil } }
    package var body: ResponseBody { didSet { encoded = nil } }
    /// The encoded form, if it was made in advance.
    private(set) var encoded: EncodedResponse?

    package init(status: Int, headers: HTTPHeaders = [:], body: ResponseBody = .empty) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// This answer for many requests: it is encoded now, and not for each of them. Any threads may send its copies. A
    /// changed copy is encoded again.
    package var forManyRequests: Response {
        guard (200...599).contains(status) else { return self }
        var copy = self
        copy.encoded = EncodedResponse(self)
        return copy
    }

    /// An answer whose body is already-encoded JSON.
    package static func json(_ bytes: [UInt8], status: Int = 200) -> Response {
        Response(status: status, headers: ["Content-Type": "application/json; charset=utf-8"], body: .bytes(bytes))
    }

    /// `{}`.
    package static var emptyObject: Response { .json(Array("{}".utf8)) }

    /// An answer of plain text.
    package static func text(_ text: String, status: Int = 200) -> Response {
        Response(status: status, headers: ["Content-Type": "text/plain; charset=utf-8"], body: .bytes(Array(text.utf8)))
    }
}

extension Response {
    /// This answer, or a 500 in place of an answer that HTTP cannot represent.
    func sendable(errors: ErrorRenderer) -> Response {
        if (200...599).contains(status) { return self }
        let failure = errors(.internalError)
        return (200...599).contains(failure.status) ? failure : Response(status: 500)
    }
}

/// The body of an answer. A HEAD request gets its length only.
package enum ResponseBody: Sendable {
    case empty
    case bytes([UInt8])
    /// `length` bytes of a file from `offset`. The kernel sends them without copying them to memory (`sendfile`); under
    /// TLS they are read in blocks. A file that is too short, or not a regular file, is answered as 500. If the file
    /// shrinks while it is sent, the answer ends at the idle timeout.
    case file(OwnedDescriptor, offset: UInt64, length: UInt64)

    /// Bytes that will be announced.
    var length: UInt64 {
        switch self {
        case .empty: 0
        case .bytes(let bytes): UInt64(bytes.count)
        case .file(_, _, let length): length
        }
    }
}

extension Response {
    /// Answers `head` with a file: 200 with all of it, 206 with the part asked for, 304 if the peer has it, or 416.
    ///
    /// - Parameters:
    ///   - file: kept open until the answer is sent.
    ///   - length: bytes of the representation; it starts at the file's first byte.
    ///   - contentType: its media type.
    ///   - etag: sent as given, and compared with `If-None-Match` and `If-Range`.
    ///   - head: the request (GET or HEAD).
    package static func file(
        _ file: OwnedDescriptor, length: UInt64, contentType: String = "application/octet-stream",
        etag: String? = nil, for head: RequestHead
    ) -> Response {
        var response = Response(status: 200, headers: ["Accept-Ranges": "bytes"])
        response.headers["ETag"] = etag
        if let etag, head.ifNoneMatch?.allow(etag) == true {
            response.status = 304
            return response
        }
        switch ByteRange(requestedBy: head, length: length, etag: etag) {
        case .full:
            response.headers["Content-Type"] = contentType
            response.body = .file(file, offset: 0, length: length)
        case .partial(let offset, let count):
            response.status = 206
            response.headers["Content-Type"] = contentType
            response.headers["Content-Range"] = "bytes \(offset)-\(offset + count - 1)/\(length)"
            response.body = .file(file, offset: offset, length: count)
        case .unsatisfiable:
            response.status = 416
            response.headers["Content-Range"] = "bytes */\(length)"
        }
        return response
    }
}

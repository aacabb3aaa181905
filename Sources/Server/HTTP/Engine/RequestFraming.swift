/// How a request's body is delimited: decided from its fields, refusing everything that two readers could read
/// differently (request smuggling).
enum RequestFraming: Equatable {
    case none
    case length(UInt64)
    case chunked

    init(headers: HTTPHeaders, isHTTP11: Bool) throws(HTTPFault) {
        let encodings = headers.values("Transfer-Encoding")
        let lengths = headers.values("Content-Length")
        guard encodings.isEmpty || lengths.isEmpty else {
            throw .badRequest("A request has Content-Length or Transfer-Encoding, not both.")
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

    /// Bytes announced; `nil` where that is open.
    var length: UInt64? {
        switch self {
        case .none: 0
        case .length(let bytes): bytes
        case .chunked: nil
        }
    }
}

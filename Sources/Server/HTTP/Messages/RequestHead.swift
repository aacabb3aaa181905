/// Everything known of a request before its body.
public struct RequestHead: Sendable {
    public let method: HTTPMethod
    /// The path as sent, percent-encoding kept, without the query.
    public var path: String { target.path }
    /// The path's segments, each percent-decoded once; an escaped slash stays inside its segment.
    /// A trailing slash adds none. Never contains `.` or `..`.
    public var segments: [String] { target.segments }
    /// The decoded query items.
    public var query: QueryItems { target.query }
    public let headers: HTTPHeaders
    /// Bytes of body announced by `Content-Length`; `nil` where there is none or the body is chunked.
    public let contentLength: UInt64?
    /// The peer's IP address, without port; IPv4 in its own form even over an IPv6 socket.
    public let remoteAddress: String
    /// Unique among the requests of one server process; the same in the log.
    public let id: String

    let target: RequestTarget

    /// Also for tests of handlers: makes the head that the server would make.
    ///
    /// - Parameter target: path and query as in the request line.
    /// - Throws: `HTTPFault` (400) where the target is not clean percent-encoded UTF-8 or has dot segments.
    public init(
        method: HTTPMethod, target: String, headers: HTTPHeaders = [:], contentLength: UInt64? = nil,
        remoteAddress: String = "127.0.0.1", id: String = "0"
    ) throws(HTTPFault) {
        self.method = method
        self.target = try RequestTarget(target)
        self.headers = headers
        self.contentLength = contentLength
        self.remoteAddress = remoteAddress
        self.id = id
    }

    /// Whether the peer is this machine (127.0.0.0/8 or ::1).
    public var isLoopback: Bool { remoteAddress.hasPrefix("127.") || remoteAddress == "::1" }
}

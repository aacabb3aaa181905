/// Everything known of a request before its body. By reference: it is handed from hand to hand, and has many parts.
public final class RequestHead: Sendable {
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
    /// The client's IP address, without port; IPv4 in its own form even over an IPv6 socket. The peer's own, or where the
    /// peer is a trusted proxy the one that it names.
    public let remoteAddress: String
    /// What a trusted proxy says of the request; `nil` where the peer is none.
    public let forwarded: ForwardedRequest?
    /// Unique among the requests of one server process; the same in the log.
    public var id: String { requestID.text }
    /// For handlers to write down what they find out.
    public let notes = RequestNotes()

    let target: RequestTarget
    private let requestID: RequestID

    /// Also for tests of handlers: makes the head that the server would make.
    ///
    /// - Parameters:
    ///   - target: path and query as in the request line.
    ///   - remoteAddress: the peer's.
    ///   - trustedProxies: the peers that are believed when they name another client.
    /// - Throws: `HTTPFault` (400) where the target is not clean percent-encoded UTF-8 or has dot segments.
    public convenience init(
        method: HTTPMethod, target: String, headers: HTTPHeaders = [:], contentLength: UInt64? = nil,
        remoteAddress: String = "127.0.0.1", trustedProxies: AddressRanges = AddressRanges(), id: String = "0"
    ) throws(HTTPFault) {
        try self.init(
            method: method, target: Array(target.utf8), headers: headers, contentLength: contentLength,
            remoteAddress: remoteAddress, trustedProxies: trustedProxies, requestID: RequestID(id))
    }

    init(
        method: HTTPMethod, target: [UInt8], headers: HTTPHeaders, contentLength: UInt64?, remoteAddress: String,
        trustedProxies: AddressRanges, requestID: RequestID
    ) throws(HTTPFault) {
        self.method = method
        self.target = try RequestTarget(target)
        self.headers = headers
        self.contentLength = contentLength
        forwarded = ForwardedRequest(peer: remoteAddress, headers: headers, trusted: trustedProxies)
        self.remoteAddress = forwarded?.client ?? remoteAddress
        self.requestID = requestID
    }

    /// Whether the client is a program on this machine that asks directly: it comes from a loopback address and asks for
    /// `localhost` or a loopback address in the `Host` field. What a proxy passes on never is, trusted or not, whatever
    /// address it names; a proxy that tells nothing of itself and asks for the machine itself is not told apart.
    public var isLoopback: Bool {
        forwarded == nil && IPAddress(remoteAddress)?.isLoopback == true && !ForwardedRequest.isHinted(by: headers)
            && headers["Host"].map(LoopbackHost.matches) == true
    }
}

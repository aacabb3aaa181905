/// All that is known about a request before its body. A class, because it has many parts and is passed to many
/// functions.
package final class RequestHead: Sendable {
    package let method: HTTPMethod
    /// The path as sent, percent-encoding kept, without the query.
    package var path: String { target.path }
    /// The path's segments, each percent-decoded once; an escaped slash stays inside its segment. A trailing slash adds
    /// no segment. Never contains `.` or `..`.
    package var segments: [String] { target.segments }
    /// Path and query as sent. It may contain secrets, so it belongs in no log.
    package var targetText: String { target.sent }
    /// The decoded query items.
    package var query: QueryItems { target.query }
    package let headers: HTTPHeaders
    /// Bytes of body announced by `Content-Length`; `nil` if it is missing or the body is chunked.
    package let contentLength: UInt64?
    /// The client's IP address, without port; IPv4 in its own form even over an IPv6 socket. It is the peer's address,
    /// or, if the peer is a trusted proxy, the one that the proxy names.
    package let remoteAddress: String
    /// What a trusted proxy says about the request; `nil` if the peer is not one.
    package let forwarded: ForwardedRequest?
    /// Unique among the requests of one server process. The log names the request by it.
    package var id: String { requestID.text }
    /// Handlers record here what they find out about the request.
    package let notes = RequestNotes()
    /// Proof of the caller that another handler of this process has checked; nil for every request from a connection.
    package let checkedCaller: (any Sendable)?

    let target: RequestTarget
    private let requestID: RequestID

    /// Makes the head that the server would make. Also for tests of handlers.
    ///
    /// - Parameters:
    ///   - target: path and query as in the request line.
    ///   - remoteAddress: the peer's.
    ///   - trustedProxies: the peers that may name another client.
    /// - Throws: `HTTPFault` (400) if the target is not clean percent-encoded UTF-8 or has dot segments.
    package convenience init(
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
        checkedCaller = nil
    }

    /// Makes the head of a request that one handler makes of another in the same process, for the sender of `original`. The
    /// log names both by the same id.
    ///
    /// - Parameters:
    ///   - target: path and query as in a request line.
    ///   - headers: without the fields about the connection and its proxies, which come from `original`.
    ///   - checkedCaller: proves who the caller is, in place of a header field.
    /// - Throws: as the other initializer.
    package init(
        method: HTTPMethod, target: String, headers: HTTPHeaders = [:], contentLength: UInt64? = nil,
        for original: RequestHead, checkedCaller: any Sendable
    ) throws(HTTPFault) {
        var headers = headers
        for name in Self.connectionFields {
            for value in original.headers.values(name) { headers.add(name, value) }
        }
        self.method = method
        self.target = try RequestTarget(Array(target.utf8))
        self.headers = headers
        self.contentLength = contentLength
        forwarded = original.forwarded
        remoteAddress = original.remoteAddress
        requestID = original.requestID
        self.checkedCaller = checkedCaller
    }

    /// What `isLoopback` and the server's own address depend on.
    private static let connectionFields = ["Host", "Via", "Forwarded", "X-Forwarded-For", "X-Real-IP"]

    /// Whether the client is a program on this machine that calls directly: it comes from a loopback address and asks
    /// for `localhost` or a loopback address in the `Host` field. A request that a proxy forwards never counts, whether
    /// the proxy is trusted or not. The server cannot recognize a proxy that adds no header fields and asks for the
    /// machine itself.
    package var isLoopback: Bool {
        forwarded == nil && IPAddress(remoteAddress)?.isLoopback == true && !ForwardedRequest.isHinted(by: headers)
            && headers["Host"].map(LoopbackHost.matches) == true
    }
}

/// A request method. Methods are case-sensitive; unknown ones are kept as sent.
package struct HTTPMethod: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package static let get = HTTPMethod(rawValue: "GET")
    package static let head = HTTPMethod(rawValue: "HEAD")
    package static let post = HTTPMethod(rawValue: "POST")
    package static let put = HTTPMethod(rawValue: "PUT")
    package static let patch = HTTPMethod(rawValue: "PATCH")
    package static let delete = HTTPMethod(rawValue: "DELETE")
    package static let options = HTTPMethod(rawValue: "OPTIONS")

    package var description: String { rawValue }
}

/// The name of one request in a server process: short, and made into text only on demand.
struct RequestID: Sendable {
    private let prefix: String
    private let number: UInt64?

    init(_ text: String) {
        prefix = text
        number = nil
    }

    /// - Parameters:
    ///   - process: the same for all requests of a process.
    ///   - number: counts them.
    init(process: String, number: UInt64) {
        prefix = process
        self.number = number
    }

    var text: String { number.map { prefix + "-" + String($0, radix: 36) } ?? prefix }
}

/// Status and header fields of an answer, known before its body.
public struct TransportResponseHead: Sendable {
    /// The HTTP status, 200 or above: interim answers (1xx) are not shown.
    public var status: Int
    public var headers: TransportHeaders

    public init(status: Int, headers: TransportHeaders = TransportHeaders()) {
        self.status = status
        self.headers = headers
    }
}

/// A complete answer. HTTP errors such as 404 are answers too.
public struct TransportResponse: Sendable {
    public var status: Int
    public var headers: TransportHeaders
    /// The body as sent (content codings are not undone); empty when it was streamed to `onBody`.
    public var body: [UInt8]

    public init(status: Int, headers: TransportHeaders = TransportHeaders(), body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

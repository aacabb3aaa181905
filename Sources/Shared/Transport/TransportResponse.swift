/// Status and header fields of an answer, known before its body.
package struct TransportResponseHead: Sendable {
    /// The HTTP status, 200 or above: interim answers (1xx) are not shown.
    package var status: Int
    package var headers: TransportHeaders

    package init(status: Int, headers: TransportHeaders = TransportHeaders()) {
        self.status = status
        self.headers = headers
    }
}

/// A complete answer. HTTP errors such as 404 are answers too.
package struct TransportResponse: Sendable {
    package var status: Int
    package var headers: TransportHeaders
    /// The body as sent (content codings are not undone); empty when it was streamed to `onBody`.
    package var body: [UInt8]

    package init(status: Int, headers: TransportHeaders = TransportHeaders(), body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// One finished request. It contains no header values, and no values of query items.
package struct AccessLogEntry: Sendable {
    /// As in `RequestHead.id`.
    package var requestID: String { id.text }
    /// `nil` if the header never arrived completely.
    package let method: HTTPMethod?
    /// Path as sent, with the names of the query items and `*` for their values; always one line of visible ASCII.
    package var target: String { RequestTarget.redacted(sentTarget) }
    /// As in `RequestHead.remoteAddress`.
    package let remoteAddress: String
    /// The route that handled the request, counted from 1 in the order in which the router got them; 0 for none.
    package let route: Int
    /// The caller, as far as a handler found it out; never a secret.
    package var actor: String? { caller?.description }
    /// The status of the answer; `nil` if there was none.
    package let status: Int?
    /// Body bytes of the answer (0 for HEAD and for answers of the HTTP library itself). For an interrupted answer, the
    /// bytes that the peer's machine confirmed, including the answer's head and the framing of TLS.
    package let responseBytes: UInt64
    /// Body bytes received.
    package let requestBytes: UInt64
    /// From the request line to the last byte of the answer.
    package let duration: Duration
    /// Whether the whole answer was sent.
    package let isComplete: Bool
    /// Why the server itself ended the request; `nil` for all others.
    package let endReason: DisconnectReason?

    let caller: (any CustomStringConvertible & Sendable)?
    let id: RequestID
    /// As sent, secrets included.
    let sentTarget: [UInt8]
}

/// Printing an entry shows the target in the form for logs.
extension AccessLogEntry: CustomStringConvertible, CustomReflectable {
    package var description: String { "\(requestID) \(method?.rawValue ?? "-") \(target)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// Takes log entries. Called on the server's threads after each request; must return soon.
package typealias AccessLog = @Sendable (AccessLogEntry) -> Void

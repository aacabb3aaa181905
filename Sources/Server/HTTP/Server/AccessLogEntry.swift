/// One request, when it is over. Has no header values, and no values of query items.
package struct AccessLogEntry: Sendable {
    /// As in `RequestHead.id`.
    package var requestID: String { id.text }
    /// `nil` where the header never arrived whole.
    package let method: HTTPMethod?
    /// Path as sent, with the names of the query items and `*` for their values; always one line of visible ASCII.
    package var target: String { RequestTarget.redacted(sentTarget) }
    /// As in `RequestHead.remoteAddress`.
    package let remoteAddress: String
    /// Which route of the router took the request, counted from 1 in the order they were given; 0 for none.
    package let route: Int
    /// Who made the call, as far as a handler found out; never a secret.
    package var actor: String? { caller?.description }
    /// Of the answer; `nil` where there was none.
    package let status: Int?
    /// Body bytes of the answer (0 for HEAD and for answers of the HTTP library itself). Of one that was cut, what the
    /// peer's machine confirmed to have, the answer's head and the framing of TLS included.
    package let responseBytes: UInt64
    /// Body bytes received.
    package let requestBytes: UInt64
    /// From the request line to the last byte of the answer.
    package let duration: Duration
    /// Whether the answer was sent whole.
    package let isComplete: Bool
    /// Why the server ended the request by itself; `nil` for all others.
    package let endReason: DisconnectReason?

    let caller: (any CustomStringConvertible & Sendable)?
    let id: RequestID
    /// As sent, secrets included.
    let sentTarget: [UInt8]
}

/// Printing an entry shows the target as it may be logged.
extension AccessLogEntry: CustomStringConvertible, CustomReflectable {
    package var description: String { "\(requestID) \(method?.rawValue ?? "-") \(target)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// Takes log entries. Called on the server's threads after each request; must return soon.
package typealias AccessLog = @Sendable (AccessLogEntry) -> Void

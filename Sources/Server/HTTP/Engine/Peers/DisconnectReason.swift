/// Why the server, not the client, ended a connection.
package enum DisconnectReason: UInt8, Sendable, CaseIterable {
    /// The head of a request, or the TLS handshake before it, took longer than `headSeconds`.
    case slowHead = 1
    /// A body arrived with less than `leastBytesPerSecond`.
    case slowBody
    /// The peer read an answer with less than `leastBytesPerSecond`.
    case slowReader
    /// Connections became scarce, and the peer's network held the most.
    case crowded

    /// As in logs: `slow-head`.
    package var name: String {
        switch self {
        case .slowHead: "slow-head"
        case .slowBody: "slow-body"
        case .slowReader: "slow-reader"
        case .crowded: "crowded"
        }
    }

    /// The answer to a peer whose request has not arrived completely; `nil` if no answer is possible any more.
    var fault: HTTPFault? {
        switch self {
        case .slowHead:
            HTTPFault(status: 408, message: "The head of the request took too long to arrive; send it again.")
        case .slowBody:
            HTTPFault(
                status: 408,
                message:
                    "The body of the request arrived too slowly; send it again over a faster connection, or in parts.")
        case .crowded:
            HTTPFault(status: 503, message: "The server is short of connections; send the request again later.")
        case .slowReader: nil
        }
    }
}

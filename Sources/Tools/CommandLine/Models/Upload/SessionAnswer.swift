import HearthTransport

/// What a server says in an upload session. Pure.
enum SessionAnswer: Equatable {
    case finished
    /// So many bytes from the start on have arrived.
    case holds(UInt64)
    /// There is no such session (any more).
    case gone
    /// Try again; after so many seconds where the server says how many.
    case busy(seconds: Double?)
    case refused
    case unreadable

    init(_ response: TransportResponse, total: UInt64, nowSeconds: Int64) {
        switch response.status {
        case 200, 201: self = .finished
        case 308:
            let held = ContentRange.heldBytes(response.headers["Range"], total: total)
            self = held.map { .holds($0) } ?? .unreadable
        case 404, 410: self = .gone
        // A full disk is not made larger by asking again.
        case 507: self = .refused
        case 408, 429, 500...599:
            self = .busy(seconds: RetryAfter.seconds(in: response.headers, nowSeconds: nowSeconds))
        default: self = .refused
        }
    }
}

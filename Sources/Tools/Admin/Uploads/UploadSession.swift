import Foundation
import HearthTransport

/// What a server says in an upload session. Pure.
enum UploadSessionStatus: Equatable {
    case finished
    /// So many bytes from the start on have arrived.
    case received(UInt64)
    /// There is no such session (any more).
    case gone
    /// Try again; after so many seconds where the server says how many.
    case busy(seconds: Double?)
    case refused
    case malformedResponse

    init(_ response: TransportResponse, total: UInt64, nowSeconds: Int64) {
        switch response.status {
        case 200, 201: self = .finished
        case 308:
            let held = ContentRange.receivedBytes(response.headers["Range"], total: total)
            self = held.map { .received($0) } ?? .malformedResponse
        case 404, 410: self = .gone
        // A full disk is not made larger by asking again.
        case 507: self = .refused
        case 408, 429, 500...599:
            self = .busy(seconds: RetryAfter.seconds(in: response.headers, nowSeconds: nowSeconds))
        default: self = .refused
        }
    }
}

/// The header fields that say which part of a file goes out, and which part has arrived. Pure.
enum ContentRange {
    /// `bytes 0-99/1000`: bytes `offset` to `offset + count - 1`; `count` is at least 1.
    static func chunk(offset: UInt64, count: Int, total: UInt64) -> String {
        "bytes \(offset)-\(offset + UInt64(count) - 1)/\(total)"
    }

    /// `bytes */1000`: a question how much has arrived.
    static func statusQuery(total: UInt64) -> String { "bytes */\(total)" }

    /// How many bytes from the start on a `Range: bytes=0-99` says are there; none without the field.
    ///
    /// - Returns: nil when the field is not readable, or tells of more than `total`.
    static func receivedBytes(_ range: String?, total: UInt64) -> UInt64? {
        guard let range else { return 0 }
        guard range.hasPrefix("bytes=0-"), let last = UInt64(range.dropFirst(8)), last < total else { return nil }
        return last + 1
    }
}

/// Where an upload session is, as a path below the server's base address. Pure.
enum UploadSessionPath {
    /// Reads the `Location` of a new session: an absolute address or a path.
    ///
    /// Whatever host it names, the session is asked for where the server was found: credentials go nowhere else, and a
    /// server behind a tunnel may know itself under another name.
    static func path(location: String, base: String) -> String? {
        guard var path = pathOfAddress(location) else { return nil }
        // A server that is found below a path may or may not know of it.
        if let prefix = pathOfAddress(base), path.hasPrefix(prefix + "/") { path = path.dropFirst(prefix.count) }
        let isPlain = path.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        return path.hasPrefix("/") && !path.hasPrefix("//") && isPlain && path.utf8.count <= 8192 ? String(path) : nil
    }

    /// What follows the host; nil when nothing does.
    private static func pathOfAddress(_ address: String) -> Substring? {
        guard !address.hasPrefix("/"), let scheme = address.range(of: "://") else { return address[...] }
        return address[scheme.upperBound...].firstIndex(of: "/").map { address[$0...] }
    }
}

import Foundation
import HearthTransport

/// The server's answer in an upload session. Pure.
enum UploadSessionStatus: Equatable {
    case finished
    /// This many bytes from the beginning have arrived.
    case received(UInt64)
    /// The session does not exist any more.
    case gone
    /// Try again, after this many seconds if the server gives a number.
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
        // Asking again does not make a full disk larger.
        case 507: self = .refused
        case 408, 429, 500...599:
            self = .busy(seconds: RetryAfter.seconds(in: response.headers, nowSeconds: nowSeconds))
        default: self = .refused
        }
    }
}

/// The header fields about the sent and the received part of a file. Pure.
enum ContentRange {
    /// `bytes 0-99/1000`: bytes `offset` to `offset + count - 1`; `count` is at least 1.
    static func chunk(offset: UInt64, count: Int, total: UInt64) -> String {
        "bytes \(offset)-\(offset + UInt64(count) - 1)/\(total)"
    }

    /// `bytes */1000`: asks how much has arrived.
    static func statusQuery(total: UInt64) -> String { "bytes */\(total)" }

    /// The number of bytes that have arrived according to `Range: bytes=0-99`; 0 without the field.
    ///
    /// - Returns: nil if the field is not readable, or if its number exceeds `total`.
    static func receivedBytes(_ range: String?, total: UInt64) -> UInt64? {
        guard let range else { return 0 }
        guard range.hasPrefix("bytes=0-"), let last = UInt64(range.dropFirst(8)), last < total else { return nil }
        return last + 1
    }
}

/// The path of an upload session below the server's base address. Pure.
enum UploadSessionPath {
    /// Reads the `Location` of a new session: an absolute address or a path.
    ///
    /// Ignores the host in the address and uses the server's known address. So credentials go nowhere else, and a server behind a
    /// tunnel may know another name of itself.
    static func path(location: String, base: String) -> String? {
        guard var path = pathOfAddress(location) else { return nil }
        // A server below a path may or may not know that path.
        if let prefix = pathOfAddress(base), path.hasPrefix(prefix + "/") { path = path.dropFirst(prefix.count) }
        let isPlain = path.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        return path.hasPrefix("/") && !path.hasPrefix("//") && isPlain && path.utf8.count <= 8192 ? String(path) : nil
    }

    /// The part after the host; nil without one.
    private static func pathOfAddress(_ address: String) -> Substring? {
        guard !address.hasPrefix("/"), let scheme = address.range(of: "://") else { return address[...] }
        return address[scheme.upperBound...].firstIndex(of: "/").map { address[$0...] }
    }
}

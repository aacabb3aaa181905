import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthWire

/// A device's question for a model: what whoever counts devices needs of it.
struct DownloadObservation {
    let projectID: String
    let modelID: Int64
    let installation: InstallationTokens.Claims
    /// The `If-None-Match` of the request.
    let named: String?
    let headers: HTTPHeaders
    let now: Timestamp

    /// The first 8 bytes of the hash that the device named first; nil if it named none. Text that is no hash becomes a
    /// number that no version has.
    var namedPrefix: UInt64? { named.flatMap(Self.prefix) }

    static func prefix(of header: String) -> UInt64? {
        var header = header
        return header.withUTF8 { bytes in
            var start = 0
            func isSeparator(_ byte: UInt8) -> Bool {
                byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: ",")
            }
            while start < bytes.count, isSeparator(bytes[start]) { start += 1 }
            if start + 1 < bytes.count, bytes[start] == UInt8(ascii: "W"), bytes[start + 1] == UInt8(ascii: "/") {
                start += 2
                while start < bytes.count, isSeparator(bytes[start]) { start += 1 }
            }
            guard start < bytes.count else { return nil }
            var value: UInt64 = 0
            for offset in 0..<16 {
                guard start + offset < bytes.count, let digit = Self.digit(bytes[start + offset]) else { return 0 }
                value = value << 4 | digit
            }
            return value
        }
    }

    private static func digit(_ byte: UInt8) -> UInt64? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
        default: nil
        }
    }
}

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
        guard let tag = EntityTags.first(in: header) else { return nil }
        guard tag.utf8.count >= 16 else { return 0 }
        var value: UInt64 = 0
        for byte in tag.utf8.prefix(16) {
            guard let digit = Self.digit(byte) else { return 0 }
            value = value << 4 | digit
        }
        return value
    }

    private static func digit(_ byte: UInt8) -> UInt64? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
        default: nil
        }
    }
}

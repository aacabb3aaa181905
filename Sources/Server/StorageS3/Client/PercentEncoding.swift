/// Percent encoding as signatures of requests need it: everything but `A-Z a-z 0-9 - . _ ~`, byte by byte.
enum PercentEncoding {
    /// - Parameter keepsSlashes: for a path, whose slashes separate its parts.
    static func encode(_ text: String, keepsSlashes: Bool = false) -> String {
        var encoded = [UInt8]()
        encoded.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: encoded.append(byte)
            case 0x2F where keepsSlashes: encoded.append(byte)
            default: encoded += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// A query in the order that signatures need: sorted by encoded name, then by encoded value.
    static func query(_ items: [(String, String)]) -> String {
        items.map { (encode($0.0), encode($0.1)) }
            .sorted { $0.0 == $1.0 ? $0.1 < $1.1 : Array($0.0.utf8).lexicographicallyPrecedes(Array($1.0.utf8)) }
            .map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    }

    private static let digits = Array("0123456789ABCDEF".utf8)
}

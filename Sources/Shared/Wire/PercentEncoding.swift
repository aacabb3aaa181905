/// Percent-encodes text for any part of an address: everything but `A-Z a-z 0-9 - . _ ~`, byte by byte (RFC 3986, 2.3).
///
/// Signatures of requests need exactly this form, too.
package enum PercentEncoding {
    /// - Parameter keepsSlashes: for a path, whose slashes separate its parts.
    package static func encode(_ text: String, keepsSlashes: Bool = false) -> String {
        var encoded = [UInt8]()
        encoded.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                encoded.append(byte)
            case UInt8(ascii: "/") where keepsSlashes: encoded.append(byte)
            default: encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static let digits = Array("0123456789ABCDEF".utf8)
}

/// Makes pieces of JSON by hand: for answers that every device requests again and again, where an encoder would take
/// longer than everything else in the answer.
package enum JSONText {
    /// Appends `string` in quotes, as `WireJSON.encode` writes it.
    package static func append(_ string: String, to text: inout [UInt8]) {
        var string = string
        text.append(UInt8(ascii: "\""))
        string.withUTF8 { bytes in
            var found: UInt8 = 0
            for byte in bytes { found |= needsEscape(byte) ? 1 : 0 }
            if found == 0 {
                text.append(contentsOf: bytes)
            } else {
                for byte in bytes { append(escaping: byte, to: &text) }
            }
        }
        text.append(UInt8(ascii: "\""))
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func append(escaping byte: UInt8, to text: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            text += [UInt8(ascii: "\\"), byte]
        case ..<0x20:
            let code = String(byte, radix: 16)
            text += Array("\\u00\(byte < 16 ? "0" : "")\(code)".utf8)
        default:
            text.append(byte)
        }
    }
}

import HearthWire

extension DownloadInfo {
    /// The same text as `WireJSON.encode` makes, put together by hand: every device asks for it again and again, and an
    /// encoder takes longer than all the rest of the answer.
    var json: [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(downloadUri.utf8.count + 160)
        text.append(contentsOf: #"{"downloadUri":"#.utf8)
        Self.append(downloadUri, to: &text)
        text.append(contentsOf: #","expireTime":"#.utf8)
        Self.append(expireTime, to: &text)
        if let modelFormat {
            text.append(contentsOf: #","modelFormat":"#.utf8)
            Self.append(modelFormat, to: &text)
        }
        text.append(contentsOf: #","sizeBytes":"#.utf8)
        Self.append(sizeBytes, to: &text)
        text.append(UInt8(ascii: "}"))
        return text
    }

    private static func append(_ string: String, to text: inout [UInt8]) {
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

extension MultipartRelated {
    /// The parameter `boundary` of a `multipart/related` type (RFC 2046, 5.1.1): 1 to 70 characters of its alphabet,
    /// bare or quoted. Tools put `=` into it, which needs the quotes.
    static func boundary(in contentType: String) -> [UInt8]? {
        var rest = Array(contentType.utf8)[...]
        guard let semicolon = rest.firstIndex(of: UInt8(ascii: ";")),
            trimmed(rest[..<semicolon]).lowercased() == "multipart/related"
        else { return nil }
        rest = rest[semicolon...]
        while let parameter = nextParameter(&rest) {
            guard parameter.name == "boundary" else { continue }
            let text = parameter.value
            guard (1...70).contains(text.count), text.last != 0x20, text.allSatisfy(isBoundaryByte) else { return nil }
            return text
        }
        return nil
    }

    /// Takes `; name=value` from the front; nil at the end, and where something else stands there.
    private static func nextParameter(_ rest: inout ArraySlice<UInt8>) -> (name: String, value: [UInt8])? {
        guard rest.popFirst() == UInt8(ascii: ";"), let equals = rest.firstIndex(of: UInt8(ascii: "=")) else {
            return nil
        }
        let name = trimmed(rest[..<equals]).lowercased()
        rest = rest[(equals + 1)...]
        if rest.first == UInt8(ascii: "\"") {
            rest.removeFirst()
            guard let value = quoted(&rest) else { return nil }
            rest = rest.drop { $0 == 0x20 || $0 == 0x09 }
            return (name, value)
        }
        let value = rest.prefix { $0 != UInt8(ascii: ";") }
        rest = rest[value.endIndex...]
        return (name, Array(trimmed(value).utf8))
    }

    /// Up to the closing quote; a backslash makes the next byte plain.
    private static func quoted(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        var value: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return value
            case UInt8(ascii: "\\"):
                guard let next = rest.popFirst() else { return nil }
                value.append(next)
            default: value.append(byte)
            }
        }
        return nil
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
        let text = bytes.drop { $0 == 0x20 || $0 == 0x09 }
        let end = text.lastIndex { $0 != 0x20 && $0 != 0x09 }
        return String(decoding: end.map { text[...$0] } ?? [], as: UTF8.self)
    }

    private static let boundaryBytes = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'()+_,-./:=? ".utf8)

    private static func isBoundaryByte(_ byte: UInt8) -> Bool { boundaryBytes.contains(byte) }
}

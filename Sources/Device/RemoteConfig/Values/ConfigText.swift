/// Reads a text as other types, by the rules of Foundation on phones. Pure.
enum ConfigText {
    /// The number at the beginning of the text, otherwise 0.
    static func number(_ text: String) -> Double {
        let bytes = Array(text.utf8.drop(while: isSpace).prefix(longestNumberBytes))
        guard let end = endOfNumber(bytes) else { return 0 }
        return Double(String(decoding: bytes[..<end], as: UTF8.self)) ?? 0
    }

    /// Whether the text means true: see ``RemoteConfigValue/boolValue``.
    static func isTrue(_ text: String) -> Bool {
        var bytes = text.utf8.drop(while: isSpace)
        if bytes.first == UInt8(ascii: "+") || bytes.first == UInt8(ascii: "-") { bytes = bytes.dropFirst() }
        guard let first = bytes.drop(while: { $0 == UInt8(ascii: "0") }).first else { return false }
        return isDigit(first) || "YyTt".utf8.contains(first)
    }

    /// The number without its fraction; the type's limit when the number is beyond it.
    static func integer<Integer: FixedWidthInteger>(_ text: String, as type: Integer.Type = Integer.self) -> Integer {
        // A double cannot represent every long number.
        if let exact = Integer(text) { return exact }
        let number = number(text)
        if number.isNaN { return 0 }
        return Integer(exactly: number.rounded(.towardZero)) ?? (number < 0 ? .min : .max)
    }

    private static let longestNumberBytes = 400

    /// The end of the digits, fraction and exponent at the beginning of the bytes; nil when the bytes begin with no
    /// digit.
    private static func endOfNumber(_ bytes: [UInt8]) -> Int? {
        var end = skipSign(bytes, from: 0)
        let whole = skipDigits(bytes, from: end)
        var digitCount = whole - end
        end = whole
        if end < bytes.count, bytes[end] == UInt8(ascii: ".") {
            let fraction = skipDigits(bytes, from: end + 1)
            digitCount += fraction - end - 1
            end = fraction > end + 1 ? fraction : end
        }
        guard digitCount > 0 else { return nil }
        guard end < bytes.count, bytes[end] | 0x20 == UInt8(ascii: "e") else { return end }
        let exponent = skipSign(bytes, from: end + 1)
        let behind = skipDigits(bytes, from: exponent)
        return behind > exponent ? behind : end
    }

    private static func skipSign(_ bytes: [UInt8], from start: Int) -> Int {
        guard start < bytes.count else { return start }
        return bytes[start] == UInt8(ascii: "-") || bytes[start] == UInt8(ascii: "+") ? start + 1 : start
    }

    private static func skipDigits(_ bytes: [UInt8], from start: Int) -> Int {
        guard start < bytes.count else { return start }
        return bytes[start...].firstIndex { !isDigit($0) } ?? bytes.count
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}

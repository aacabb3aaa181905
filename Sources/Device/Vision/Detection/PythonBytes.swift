/// Labels that a Python program wrote as the bytes that they were to it: `b'Tomato'` stands for Tomato.
enum PythonBytes {
    /// The text that such a literal stands for; nil when `literal` is none, or its bytes are not UTF-8.
    static func text(of literal: String) -> String? {
        let bytes = Array(literal.utf8)
        guard bytes.count >= 3, bytes[0] == UInt8(ascii: "b"), let quote = bytes.last, bytes[1] == quote,
            quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"")
        else { return nil }
        return unescaped(bytes[2..<bytes.count - 1]).flatMap { String(validating: $0, as: UTF8.self) }
    }

    private static func unescaped(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        var result: [UInt8] = []
        var rest = bytes
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                result.append(byte)
                continue
            }
            switch rest.popFirst() {
            case UInt8(ascii: "x"):
                let digits = rest.prefix(2)
                guard digits.count == 2, digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
                    let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
                else { return nil }
                result.append(value)
                rest = rest.dropFirst(2)
            case let escaped? where "\\'\"".utf8.contains(escaped): result.append(escaped)
            default: return nil
            }
        }
        return result
    }
}

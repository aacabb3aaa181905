internal import Glibc

/// Decoding of percent-encoded text, once, refusing everything that is not clean UTF-8.
enum PercentEncoding {
    /// A part of a text that is lent for a call.
    typealias Text = Slice<UnsafeBufferPointer<UInt8>>

    /// The decoded text, or `nil` where an escape is malformed, the result has a NUL, or is not UTF-8.
    ///
    /// - Parameter text: visible ASCII.
    static func decode(_ text: Text, plusIsSpace: Bool = false) -> String? {
        guard has("%", in: text) || plusIsSpace && has("+", in: text) else {
            return String(decoding: UnsafeBufferPointer(rebasing: text), as: UTF8.self)
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var rest = text
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(hexValue), let low = rest.popFirst().flatMap(hexValue)
                else { return nil }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace:
                bytes.append(UInt8(ascii: " "))
            default:
                bytes.append(byte)
            }
        }
        guard !bytes.contains(0) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func has(_ character: Unicode.Scalar, in text: Text) -> Bool {
        let bytes = UnsafeBufferPointer(rebasing: text)
        return bytes.baseAddress.map { memchr($0, Int32(character.value), bytes.count) != nil } ?? false
    }

    /// `text` with every byte outside visible ASCII escaped: one line of a log stays one line.
    static func visible(_ bytes: some Sequence<UInt8>) -> String {
        var result: [UInt8] = []
        for byte in bytes {
            if (0x21...0x7E).contains(byte) {
                result.append(byte)
            } else {
                result += [UInt8(ascii: "%"), hexDigit(byte >> 4), hexDigit(byte & 0xF)]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func hexValue(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}

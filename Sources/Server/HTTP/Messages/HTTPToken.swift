/// Tokens of RFC 9110, section 5.6.2: methods and the names of fields.
enum HTTPToken {
    static func isValid(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        !text.isEmpty && text.allSatisfy(isTokenByte)
    }

    static func isValid(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { isValid($0) }
    }

    static func lower(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        let row = byte < 64 ? bytesBelow64 : byte < 128 ? bytesBelow128 : 0
        return row >> UInt64(byte & 63) & 1 == 1
    }

    // One bit for each allowed byte. Written as constants, because the check that a computed constant is initialized
    // takes longer than the test of a byte.

    /// `!#$%&'*+-.` and the digits.
    private static let bytesBelow64: UInt64 = 0x03FF_6CFA_0000_0000
    /// The letters and ``^_`|~``.
    private static let bytesBelow128: UInt64 = 0x57FF_FFFF_C7FF_FFFE
}

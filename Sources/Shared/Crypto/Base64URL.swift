/// Base 64 with the alphabet that is safe in URLs and without padding (RFC 4648 section 5, RFC 7515).
package enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// Values by character; 255 for characters outside the alphabet.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        for (value, character) in alphabet.enumerated() {
            values[Int(character)] = UInt8(value)
        }
        return values
    }()

    /// The text for `bytes`.
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        bytes.withContiguousStorageIfAvailable { encode($0) } ?? Array(bytes).withUnsafeBufferPointer { encode($0) }
    }

    private static func encode(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        let alphabet = alphabet
        let wholeCount = bytes.count / 3 * 3
        return String(unsafeUninitializedCapacity: (bytes.count * 4 + 2) / 3) { text in
            var written = 0
            func write(_ bits: UInt32) {
                text[written] = alphabet[Int(bits & 0x3F)]
                written += 1
            }
            for index in stride(from: 0, to: wholeCount, by: 3) {
                let group = UInt32(bytes[index]) << 16 | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2])
                write(group >> 18)
                write(group >> 12)
                write(group >> 6)
                write(group)
            }
            if wholeCount < bytes.count {
                let second = wholeCount + 1 < bytes.count ? UInt32(bytes[wholeCount + 1]) : nil
                let group = UInt32(bytes[wholeCount]) << 16 | (second ?? 0) << 8
                write(group >> 18)
                write(group >> 12)
                if second != nil { write(group >> 6) }
            }
            return written
        }
    }

    /// The bytes of `text`; `nil` unless the text is exactly what `encode` writes: no padding, no white space, no other
    /// alphabet, and no stray bits at the end. So each value has exactly one text, and a signed token cannot be
    /// rewritten into a second valid form.
    package static func decode(_ text: String) -> [UInt8]? {
        decode(characters: text.utf8)
    }

    static func decode(characters: some Collection<UInt8>) -> [UInt8]? {
        let decoded = characters.withContiguousStorageIfAvailable { decode($0) }
        return decoded ?? Array(characters).withUnsafeBufferPointer { decode($0) }
    }

    private static func decode(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        values.withUnsafeBufferPointer { decode(text, $0) }
    }

    private static func decode(_ text: UnsafeBufferPointer<UInt8>, _ values: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        let (quads, rest) = text.count.quotientAndRemainder(dividingBy: 4)
        var seen: UInt8 = 0
        var strayBits: UInt32 = 0
        func value(_ index: Int) -> UInt32 {
            let value = values[Int(text[index])]
            seen |= value
            return UInt32(value)
        }
        guard rest != 1 else { return nil }
        let bytes = [UInt8](unsafeUninitializedCapacity: quads * 3 + 2) { bytes, written in
            func write(_ bits: UInt32) {
                bytes[written] = UInt8(truncatingIfNeeded: bits)
                written += 1
            }
            for index in stride(from: 0, to: quads * 4, by: 4) {
                let group = value(index) << 18 | value(index + 1) << 12 | value(index + 2) << 6 | value(index + 3)
                write(group >> 16)
                write(group >> 8)
                write(group)
            }
            if rest > 0 {
                let third = rest == 3 ? value(quads * 4 + 2) : 0
                let group = value(quads * 4) << 18 | value(quads * 4 + 1) << 12 | third << 6
                write(group >> 16)
                if rest == 3 { write(group >> 8) }
                strayBits = group & (rest == 3 ? 0xFF : 0xFFFF)
            }
        }
        return seen < 64 && strayBits == 0 ? bytes : nil
    }
}

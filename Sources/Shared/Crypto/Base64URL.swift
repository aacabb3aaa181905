/// Base 64 with the alphabet that is safe in URLs and without padding (RFC 4648 section 5, RFC 7515).
public enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    private static let values: [UInt8?] = {
        var values = [UInt8?](repeating: nil, count: 256)
        for (value, character) in alphabet.enumerated() {
            values[Int(character)] = UInt8(value)
        }
        return values
    }()

    /// The text for `bytes`.
    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        var pending: UInt32 = 0
        var bits = 0
        for byte in bytes {
            pending = (pending << 8 | UInt32(byte)) & 0xffff
            bits += 8
            while bits >= 6 {
                bits -= 6
                text.append(alphabet[Int(pending >> UInt32(bits) & 0x3f)])
            }
        }
        if bits > 0 {
            text.append(alphabet[Int(pending << UInt32(6 - bits) & 0x3f)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of `text`, or `nil` unless it is exactly what `encode` writes: no padding, no white space, no
    /// other alphabet, and no stray bits at the end. So there is one text for one value, and a signed token
    /// cannot be rewritten into a second valid form.
    public static func decode(_ text: String) -> [UInt8]? {
        decode(characters: text.utf8)
    }

    static func decode(characters: some Collection<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(characters.count / 4 * 3 + 2)
        var pending: UInt32 = 0
        var bits = 0
        for character in characters {
            guard let value = values[Int(character)] else { return nil }
            pending = (pending << 6 | UInt32(value)) & 0xffff
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: pending >> UInt32(bits)))
            }
        }
        let strayBits = pending & (1 << UInt32(bits) - 1)
        return bits < 6 && strayBits == 0 ? bytes : nil
    }
}

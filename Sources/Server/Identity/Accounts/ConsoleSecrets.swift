import HearthCrypto

/// A secret of the console that the server shows once: the id of its record, then 256 random bits.
package struct ConsoleSecret: Sendable, Redacted {
    package let id: String
    /// `{id}_{secret}`
    package let text: String

    package init() {
        id = Hex.encode(SecureRandom.bytes(8))
        text = "\(id)_\(Base64URL.encode(SecureRandom.bytes(32)))"
    }

    package var publicName: String { id }
    package var hash: String { Self.hash(of: text) }

    package static func hash(of text: String) -> String { SecretHash.hex(of: text) }

    /// The id in a secret; nil for a text of another form. It proves nothing yet.
    package static func id(in text: String) -> String? {
        guard text.utf8.count == 60, text.utf8.allSatisfy(isPlain) else { return nil }
        let parts = text.split(separator: "_", maxSplits: 1)
        return parts.count == 2 && parts[0].utf8.count == 16 ? String(parts[0]) : nil
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x2D || byte == 0x5F
    }

    /// Whether the text is the secret with this hash. It takes the same time for every text.
    package static func matches(_ text: String, hash: String) -> Bool { SecretHash.matches(text, hex: hash) }
}

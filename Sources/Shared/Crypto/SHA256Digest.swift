/// A SHA-256 digest: 32 bytes, written as 64 lower-case hex digits.
package struct SHA256Digest: Hashable, Sendable, CustomStringConvertible {
    /// The number of bytes in every digest.
    package static let byteCount = 32

    /// The 32 bytes.
    package let bytes: [UInt8]

    /// 64 lower-case hex digits.
    package var hex: String { Hex.encode(bytes) }

    package var description: String { hex }

    /// `nil` unless there are exactly 32 bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// Parses 64 hex digits of either case; `nil` for any other text.
    package init?(hex: String) {
        guard hex.utf8.count == 2 * Self.byteCount, let bytes = Hex.decode(hex) else { return nil }
        self.bytes = bytes
    }

    /// Uses some of the bytes, because all of them are as good as random.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) })
    }
}

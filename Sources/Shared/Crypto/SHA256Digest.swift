/// A SHA-256 digest: 32 bytes, written as 64 lower-case hex digits.
public struct SHA256Digest: Hashable, Sendable, CustomStringConvertible {
    /// The number of bytes in every digest.
    public static let byteCount = 32

    /// The 32 bytes.
    public let bytes: [UInt8]

    /// 64 lower-case hex digits.
    public var hex: String { Hex.encode(bytes) }

    public var description: String { hex }

    /// Returns `nil` unless there are exactly 32 bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// Reads 64 hex digits of either case; `nil` for anything else.
    public init?(hex: String) {
        guard hex.utf8.count == 2 * Self.byteCount, let bytes = Hex.decode(hex) else { return nil }
        self.bytes = bytes
    }

    /// With some of the bytes: each of them is as good as random.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) })
    }
}

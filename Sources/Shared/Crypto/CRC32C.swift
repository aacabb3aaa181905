import CCRC32C
import Foundation

/// The checksum CRC-32C (Castagnoli, RFC 3720) over bytes that arrive in pieces: what Google's storage tools send along
/// and check. It finds damage, not forgery.
///
/// A value type: a copy goes on independently. Any thread. Wraps `hearth_crc32c`.
public struct CRC32C: Hashable, Sendable {
    /// The checksum of all bytes so far; 0 when there were none.
    public private(set) var value: UInt32

    /// - Parameter value: the checksum of bytes that came before, to go on from.
    public init(value: UInt32 = 0) { self.value = value }

    /// Adds `bytes`, which are only read during the call.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.bindMemory(to: UInt8.self).baseAddress else { return }
        value = hearth_crc32c(value, start, bytes.count)
    }

    /// The checksum of `bytes` in one call.
    public static func checksum(_ bytes: [UInt8]) -> CRC32C {
        var checksum = CRC32C()
        bytes.withUnsafeBytes { checksum.update($0) }
        return checksum
    }

    /// What a processor without the instruction computes; for tests on one that has it. Wraps `hearth_crc32c_portable`.
    static func portable(_ value: UInt32, _ bytes: UnsafeRawBufferPointer) -> UInt32 {
        guard let start = bytes.bindMemory(to: UInt8.self).baseAddress else { return value }
        return hearth_crc32c_portable(value, start, bytes.count)
    }

    /// The checksum as storage tools write it: four bytes, the highest first, in Base64 with padding (8 characters).
    public var base64: String {
        Data((0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }).base64EncodedString()
    }

    /// Reads what `base64` writes; nil for anything else.
    public init?(base64: String) {
        guard let bytes = Data(base64Encoded: base64), bytes.count == 4 else { return nil }
        value = bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }
}

import CZlib

/// The CRC-32 of zip, gzip and PNG (polynomial 0xEDB88320), computed by zlib's `crc32_z`.
package enum CRC32 {
    /// The checksum of all of `bytes`; 0 if there are none. Safe to call from any thread.
    package static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        UInt32(truncatingIfNeeded: crc32_z(0, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count))
    }

    /// The checksum of all of `bytes`. Safe to call from any thread.
    package static func checksum(_ bytes: [UInt8]) -> UInt32 {
        bytes.withUnsafeBytes { checksum($0) }
    }
}

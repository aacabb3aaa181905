import CCRC32C
import COpenSSL
import Foundation

/// The checksum CRC-32C (Castagnoli, RFC 3720) of bytes that arrive in pieces. Google's storage tools send and check
/// it. It detects damage, and not forgery.
///
/// A value type: a copy continues independently. Safe to use from any thread. Wraps `hearth_crc32c`.
package struct CRC32C: Hashable, Sendable {
    /// The checksum of all bytes so far; 0 without any.
    package private(set) var value: UInt32

    /// - Parameter value: the checksum of earlier bytes, to continue from.
    package init(value: UInt32 = 0) { self.value = value }

    /// Adds `bytes`, which are only read during the call.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.bindMemory(to: UInt8.self).baseAddress else { return }
        value = hearth_crc32c(value, start, bytes.count)
    }

    /// The checksum of `bytes` in one call.
    package static func checksum(_ bytes: [UInt8]) -> CRC32C {
        var checksum = CRC32C()
        bytes.withUnsafeBytes { checksum.update($0) }
        return checksum
    }

    /// The result on a processor without the instruction, for tests on one that has it. Wraps `hearth_crc32c_portable`.
    static func portable(_ value: UInt32, _ bytes: UnsafeRawBufferPointer) -> UInt32 {
        guard let start = bytes.bindMemory(to: UInt8.self).baseAddress else { return value }
        return hearth_crc32c_portable(value, start, bytes.count)
    }

    /// The checksum in the form of storage tools: four bytes, the highest first, in Base64 with padding (8 characters).
    package var base64: String {
        Data((0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }).base64EncodedString()
    }

    /// Parses what `base64` writes; nil for any other text.
    package init?(base64: String) {
        guard let bytes = Data(base64Encoded: base64), bytes.count == 4 else { return nil }
        value = bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }
}

/// An MD5 digest, with which storage tools compare files. It detects damage. An attacker can make two files with the
/// same digest, so Hearth trusts nothing because of its MD5.
package struct MD5Digest: Hashable, Sendable {
    /// The number of bytes in every digest.
    package static let byteCount = 16

    private let bytes: [UInt8]

    fileprivate init(bytes: [UInt8]) { self.bytes = bytes }

    /// Base64 with padding (24 characters).
    package var base64: String { Data(bytes).base64EncodedString() }

    /// Parses what `base64` writes; nil for any other text.
    package init?(base64: String) {
        guard let data = Data(base64Encoded: base64), data.count == Self.byteCount else { return nil }
        bytes = Array(data)
    }
}

/// Computes MD5 over bytes that arrive in pieces. Memory use does not depend on their number. One owner, one thread at
/// a time.
///
/// Wraps `EVP_MD_fetch`, `EVP_DigestInit_ex`, `EVP_DigestUpdate` and `EVP_DigestFinal_ex`.
package final class MD5Hasher {
    private let context = DigestContext()

    /// Nil if this machine's OpenSSL has no MD5, for example because it is restricted to approved algorithms (FIPS).
    package init?() {
        CryptoLibrary.prepare()
        guard let algorithm = EVP_MD_fetch(nil, "MD5", nil) else { return nil }
        defer { EVP_MD_free(algorithm) }
        guard EVP_DigestInit_ex(context.pointer, algorithm, nil) == 1 else { return nil }
    }

    /// Adds `bytes`, which are only read during the call.
    package func update(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
        guard EVP_DigestUpdate(context.pointer, start, bytes.count) == 1 else { CryptoError.stop("EVP_DigestUpdate") }
    }

    /// The digest of all bytes so far. The hasher itself is unchanged and can take more.
    package func finalize() -> MD5Digest {
        let final = context.copy()
        var bytes = [UInt8](repeating: 0, count: MD5Digest.byteCount)
        guard EVP_DigestFinal_ex(final.pointer, &bytes, nil) == 1 else { CryptoError.stop("EVP_DigestFinal_ex") }
        return MD5Digest(bytes: bytes)
    }
}

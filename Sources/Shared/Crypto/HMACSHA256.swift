import COpenSSL

/// HMAC with SHA-256 (RFC 2104): makes and checks 32-byte tags under one secret key.
///
/// May be shared by threads. The key lives in OpenSSL's memory and is wiped when the last copy goes.
/// Failures of the underlying calls (memory exhausted, OpenSSL without its default provider) stop the process.
///
/// Wraps `EVP_MAC`.
public struct HMACSHA256: Sendable {
    /// The number of bytes in every tag.
    public static let tagByteCount = 32

    private let keyed: MACContext

    /// `key` may have any length; use 32 random bytes (`SecureRandom`) for a new one.
    public init(key: [UInt8]) {
        keyed = MACContext(key: key)
    }

    /// The 32-byte tag of `message`.
    public func tag(for message: [UInt8]) -> [UInt8] {
        let context = keyed.copy()
        var tag = [UInt8](repeating: 0, count: Self.tagByteCount)
        var written = 0
        guard EVP_MAC_update(context.pointer, message, message.count) == 1,
            EVP_MAC_final(context.pointer, &tag, &written, tag.count) == 1, written == tag.count
        else { CryptoError.stop("EVP_MAC_final") }
        return tag
    }

    /// Whether `tag` is the tag of `message`. Takes the same time wherever the two differ.
    public func isValid(_ tag: [UInt8], for message: [UInt8]) -> Bool {
        ConstantTime.equals(tag, self.tag(for: message))
    }
}

/// Owns one `EVP_MAC_CTX`: created in `init`, freed once in `deinit`.
///
/// Unchecked, but safe: `HMACSHA256` never changes the context that it shares; it only duplicates it
/// (`EVP_MAC_CTX_dup` reads its source), and each duplicate stays inside one call.
private final class MACContext: @unchecked Sendable {
    let pointer: OpaquePointer

    init(key: [UInt8]) {
        guard let algorithm = EVP_MAC_fetch(nil, "HMAC", nil) else { CryptoError.stop("EVP_MAC_fetch") }
        defer { EVP_MAC_free(algorithm) }
        guard let context = EVP_MAC_CTX_new(algorithm) else { CryptoError.stop("EVP_MAC_CTX_new") }
        pointer = context
        // OpenSSL reads a null pointer as "keep the old key", so an empty key is lent as one unused byte.
        let lent = key.isEmpty ? [0] : key
        guard hearth_hmac_sha256_init(context, lent, key.count) == 1 else { CryptoError.stop("EVP_MAC_init") }
    }

    private init(takingOwnershipOf context: OpaquePointer) {
        pointer = context
    }

    func copy() -> MACContext {
        guard let copy = EVP_MAC_CTX_dup(pointer) else { CryptoError.stop("EVP_MAC_CTX_dup") }
        return MACContext(takingOwnershipOf: copy)
    }

    deinit {
        EVP_MAC_CTX_free(pointer)
    }
}

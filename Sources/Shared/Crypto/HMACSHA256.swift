import COpenSSL

/// HMAC with SHA-256 (RFC 2104): makes and checks 32-byte tags under one secret key.
///
/// May be shared by threads. The key is in OpenSSL's memory, and is wiped with the last copy. Failures of the
/// underlying calls (memory exhausted, OpenSSL without its default provider) stop the process.
///
/// Wraps `EVP_MAC`.
package struct HMACSHA256: Sendable {
    /// The number of bytes in every tag.
    package static let tagByteCount = 32

    /// Never used for a tag, so that it can be copied at any time.
    private let original: MACContext
    /// Copies of `original` for reuse, because restarting a context is cheaper than copying one for each tag.
    private let contexts = ContextPool<MACContext>()

    /// `key` may have any length; use 32 random bytes (`SecureRandom`) for a new one.
    package init(key: [UInt8]) {
        original = MACContext(key: key)
    }

    /// The 32-byte tag of `message`.
    package func tag(for message: [UInt8]) -> [UInt8] {
        message.withUnsafeBytes { tag(for: $0) }
    }

    /// The 32-byte tag of `message`, which is only read during the call.
    package func tag(for message: UnsafeRawBufferPointer) -> [UInt8] {
        contexts.withContext(or: original.copy) { $0.tag(for: message) }
    }

    /// Whether `tag` is the tag of `message`. Takes the same time wherever the two differ.
    package func isValid(_ tag: [UInt8], for message: [UInt8]) -> Bool {
        message.withUnsafeBytes { isValid(tag, for: $0) }
    }

    /// Whether `tag` is the tag of `message`, which is only read during the call. Takes the same time wherever the two
    /// differ.
    package func isValid(_ tag: [UInt8], for message: UnsafeRawBufferPointer) -> Bool {
        ConstantTime.equals(tag, self.tag(for: message))
    }
}

/// Owns one `EVP_MAC_CTX`: created in `init`, freed once in `deinit`.
///
/// `@unchecked Sendable`: the original is never changed, only duplicated (`EVP_MAC_CTX_dup` reads its source). Any
/// other context is either in the pool, inside its mutex, or with the one call that took it out.
private final class MACContext: @unchecked Sendable {
    private let pointer: OpaquePointer

    init(key: [UInt8]) {
        CryptoLibrary.prepare()
        guard let algorithm = EVP_MAC_fetch(nil, "HMAC", nil) else { CryptoError.stop("EVP_MAC_fetch") }
        defer { EVP_MAC_free(algorithm) }
        guard let context = EVP_MAC_CTX_new(algorithm) else { CryptoError.stop("EVP_MAC_CTX_new") }
        pointer = context
        // OpenSSL treats a null pointer as "keep the old key", so an empty key is passed as one unused byte.
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

    func tag(for message: UnsafeRawBufferPointer) -> [UInt8] {
        // Without a key, the context restarts with the one it has.
        guard EVP_MAC_init(pointer, nil, 0, nil) == 1 else { CryptoError.stop("EVP_MAC_init") }
        if let start = message.baseAddress, !message.isEmpty {
            guard EVP_MAC_update(pointer, start, message.count) == 1 else { CryptoError.stop("EVP_MAC_update") }
        }
        return [UInt8](unsafeUninitializedCapacity: HMACSHA256.tagByteCount) { tag, count in
            guard EVP_MAC_final(pointer, tag.baseAddress, &count, tag.count) == 1, count == HMACSHA256.tagByteCount
            else { CryptoError.stop("EVP_MAC_final") }
        }
    }

    deinit {
        EVP_MAC_CTX_free(pointer)
    }
}

import COpenSSL

/// Owns one `EVP_PKEY` that holds an RSA key: taken in `init`, freed once in `deinit`.
///
/// `@unchecked Sendable`: the key is never changed after `init`, and OpenSSL allows any number of threads to sign and
/// verify with one unchanging `EVP_PKEY` (it locks the key's caches and reference count itself).
final class RSAKeyHandle: @unchecked Sendable {
    /// Shorter keys can be broken. With longer ones a single verification takes milliseconds, and no client's key may
    /// cost a server that much.
    static let acceptedBits = 2048...8192

    /// More than any key of the accepted size needs.
    static let pemLimitBytes = 16_384

    let pointer: OpaquePointer

    /// Also frees `key` if it is not accepted.
    init(takingOwnershipOf key: OpaquePointer) throws(CryptoError) {
        pointer = key
        guard EVP_PKEY_is_a(key, "RSA") == 1 else {
            throw CryptoError(.unsupportedKey, "the key is not an RSA key; make one with 2048 bits or more")
        }
        let bits = Int(EVP_PKEY_get_bits(key))
        guard Self.acceptedBits.contains(bits) else {
            throw CryptoError(
                .unsupportedKey,
                "the RSA key has \(bits) bits; use \(Self.acceptedBits.lowerBound) to \(Self.acceptedBits.upperBound)")
        }
    }

    deinit {
        EVP_PKEY_free(pointer)
    }
}

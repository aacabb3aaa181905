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

/// Moves text into and out of OpenSSL's memory buffers.
enum PEM {
    /// Passes `text` to `read`, which returns a key that the caller owns, or nil.
    static func readKey(
        _ text: String, expected: String, _ read: (OpaquePointer) -> OpaquePointer?
    ) throws(CryptoError) -> RSAKeyHandle {
        let bytes = Array(text.utf8)
        guard bytes.count <= RSAKeyHandle.pemLimitBytes else {
            throw CryptoError(
                .tooLarge, "the key text is longer than \(RSAKeyHandle.pemLimitBytes) bytes; give one PEM key")
        }
        CryptoLibrary.prepare()
        let key = bytes.withUnsafeBytes { buffer -> OpaquePointer? in
            // A BIO for an empty text would have no address to read from.
            guard let start = buffer.baseAddress, let bio = BIO_new_mem_buf(start, Int32(buffer.count)) else {
                return nil
            }
            defer { BIO_free(bio) }
            return read(bio)
        }
        guard let key else {
            throw .fromOpenSSL(.malformedKey, "the key is damaged, encrypted or not PEM; give \(expected)")
        }
        // A reader that tried several formats leaves its failed attempts in the queue.
        ERR_clear_error()
        return try RSAKeyHandle(takingOwnershipOf: key)
    }

    /// The text that `write` puts into a memory buffer. Writing fails only if memory is exhausted.
    static func text(_ write: (OpaquePointer) -> Int32) -> String {
        guard let bio = BIO_new(BIO_s_secmem()) else { CryptoError.stop("BIO_new") }
        defer { BIO_free(bio) }
        var start: UnsafeMutablePointer<CChar>?
        guard write(bio) == 1 else { CryptoError.stop("PEM_write_bio") }
        let length = hearth_bio_memory(bio, &start)
        return String(decoding: UnsafeRawBufferPointer(start: start, count: length), as: UTF8.self)
    }
}

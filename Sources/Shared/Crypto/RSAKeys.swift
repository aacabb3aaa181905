import COpenSSL

/// An RSA private key of 2048 to 8192 bits, for signing. May be shared by threads; wiped with the last copy.
package struct RSAPrivateKey: Sendable {
    private let handle: RSAKeyHandle

    /// Makes a new key. Takes from tens of milliseconds (2048 bits) to seconds: do not call it on Swift's cooperative
    /// pool.
    ///
    /// - Throws: `unsupportedKey` if `bits` is not 2048 to 8192, `libraryFailure`.
    ///
    /// Wraps `EVP_PKEY_generate`.
    package static func generate(bits: Int = 2048) throws(CryptoError) -> RSAPrivateKey {
        guard RSAKeyHandle.acceptedBits.contains(bits) else {
            throw CryptoError(.unsupportedKey, "an RSA key of \(bits) bits was asked for; use 2048 to 8192")
        }
        CryptoLibrary.prepare()
        guard let context = EVP_PKEY_CTX_new_from_name(nil, "RSA", nil) else { CryptoError.stop("EVP_PKEY_CTX_new") }
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1,
            EVP_PKEY_CTX_set_rsa_keygen_bits(context, Int32(bits)) == 1,
            EVP_PKEY_generate(context, &key) == 1, let key
        else { throw .fromOpenSSL(.libraryFailure, "making an RSA key failed; try again") }
        return RSAPrivateKey(handle: try RSAKeyHandle(takingOwnershipOf: key))
    }

    private init(handle: RSAKeyHandle) {
        self.handle = handle
    }

    /// Reads an unencrypted PKCS#8 PEM (`-----BEGIN PRIVATE KEY-----`), and also the older PKCS#1 form.
    ///
    /// - Throws: `malformedKey` (also for an encrypted key), `unsupportedKey` (not RSA, or not 2048 to 8192 bits),
    ///   `tooLarge`.
    ///
    /// Wraps `PEM_read_bio_PrivateKey`.
    package init(pem: String) throws(CryptoError) {
        handle = try PEM.readKey(pem, expected: "an unencrypted PKCS#8 key (-----BEGIN PRIVATE KEY-----)") {
            hearth_read_private_key($0)
        }
    }

    /// The key as unencrypted PKCS#8 PEM, which is a secret. Wraps `PEM_write_bio_PKCS8PrivateKey`.
    package var pem: String {
        PEM.text { PEM_write_bio_PKCS8PrivateKey($0, handle.pointer, nil, nil, 0, nil, nil) }
    }

    /// The public part of the key.
    package var publicKey: RSAPublicKey { RSAPublicKey(handle) }

    /// An RSASSA-PKCS1-v1_5 signature with SHA-256 over `message`, as long as the key (256 bytes for 2048 bits).
    ///
    /// - Throws: `libraryFailure`, for example if the key's numbers are inconsistent.
    ///
    /// Wraps `EVP_DigestSign`.
    package func signSHA256(_ message: [UInt8]) throws(CryptoError) -> [UInt8] {
        let context = DigestContext()
        var signature = [UInt8](repeating: 0, count: Int(EVP_PKEY_get_size(handle.pointer)))
        var length = signature.count
        guard EVP_DigestSignInit(context.pointer, nil, EVP_sha256(), nil, handle.pointer) == 1,
            EVP_DigestSign(context.pointer, &signature, &length, message, message.count) == 1
        else { throw .fromOpenSSL(.libraryFailure, "signing failed; the private key may be damaged") }
        return Array(signature.prefix(length))
    }
}

/// An RSA public key of 2048 to 8192 bits, for checking signatures. May be shared by threads.
package struct RSAPublicKey: Sendable {
    private let handle: RSAKeyHandle

    init(_ handle: RSAKeyHandle) {
        self.handle = handle
    }

    /// Reads a SubjectPublicKeyInfo PEM (`-----BEGIN PUBLIC KEY-----`).
    ///
    /// - Throws: `malformedKey`, `unsupportedKey` (not RSA, or not 2048 to 8192 bits), `tooLarge`.
    ///
    /// Wraps `PEM_read_bio_PUBKEY`.
    package init(pem: String) throws(CryptoError) {
        handle = try PEM.readKey(pem, expected: "a public key (-----BEGIN PUBLIC KEY-----)") {
            hearth_read_public_key($0)
        }
    }

    /// The key as SubjectPublicKeyInfo PEM. Wraps `PEM_write_bio_PUBKEY`.
    package var pem: String {
        PEM.text { PEM_write_bio_PUBKEY($0, handle.pointer) }
    }

    /// Whether `signature` is an RSASSA-PKCS1-v1_5 signature with SHA-256 over `message` by this key's owner.
    ///
    /// Wraps `EVP_DigestVerify`.
    package func isValidSHA256(signature: [UInt8], for message: [UInt8]) -> Bool {
        let context = DigestContext()
        guard EVP_DigestVerifyInit(context.pointer, nil, EVP_sha256(), nil, handle.pointer) == 1 else {
            CryptoError.stop("EVP_DigestVerifyInit")
        }
        let isValid = EVP_DigestVerify(context.pointer, signature, signature.count, message, message.count) == 1
        // A wrong signature is a result and not an error, so nothing may stay in the queue for the next caller.
        ERR_clear_error()
        return isValid
    }
}

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

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

import COpenSSL

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

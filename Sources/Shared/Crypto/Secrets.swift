import COpenSSL

/// Random bytes for keys, tokens and identifiers that must not be guessed.
package enum SecureRandom {
    /// `count` random bytes. Safe from any thread and after `fork`.
    ///
    /// Stops the process if the operating system returns no randomness, because every later secret could be guessed. A
    /// negative count is a programmer error and also stops the process.
    ///
    /// Wraps `RAND_bytes`.
    package static func bytes(_ count: Int) -> [UInt8] {
        guard let length = Int32(exactly: count), length >= 0 else {
            preconditionFailure("SecureRandom.bytes: the count must be 0 to 2147483647")
        }
        CryptoLibrary.prepare()
        var bytes = [UInt8](repeating: 0, count: count)
        guard RAND_bytes(&bytes, length) == 1 else { CryptoError.stop("RAND_bytes") }
        return bytes
    }
}

/// How API secrets (tokens, refresh tokens, admin keys) are stored: as the hex SHA-256 of the secret.
///
/// These secrets need no slow, salted password hash, because people do not choose them: they contain 256 random bits
/// (`SecureRandom.bytes(32)`), so neither guessing nor a table can find one from its hash. Never use this for
/// passwords.
package enum SecretHash {
    /// 64 lower-case hex digits that represent `secret` in a store.
    package static func hex(of secret: String) -> String { digest(of: secret).hex }

    /// The hash itself, for a look-up in memory.
    package static func digest(of secret: String) -> SHA256Digest {
        var secret = secret
        return secret.withUTF8 { SHA256Hasher.hash(UnsafeRawBufferPointer($0)) }
    }

    /// Whether `hex` was made from `secret`. Takes the same time wherever the two differ; `false` if `hex` is not a
    /// hash.
    package static func matches(_ secret: String, hex: String) -> Bool {
        guard let expected = SHA256Digest(hex: hex) else { return false }
        return ConstantTime.equals(SHA256Hasher.hash(secret.utf8).bytes, expected.bytes)
    }
}

/// Comparisons whose time reveals nothing about the bytes.
package enum ConstantTime {
    /// Whether both have the same bytes. The time depends on the lengths only, which are not secret.
    ///
    /// Wraps `CRYPTO_memcmp`.
    package static func equals(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
    }
}

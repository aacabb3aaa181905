/// How API secrets (tokens, refresh tokens, admin keys) are kept at rest: as the hex SHA-256 of the secret.
///
/// A slow, salted password hash is not needed here, because these secrets are not chosen by people: they carry
/// 256 random bits (`SecureRandom.bytes(32)`), so neither a guess nor a table can find one from its hash. Never
/// use this for passwords.
public enum SecretHash {
    /// 64 lower-case hex digits that stand for `secret` in a store.
    public static func hex(of secret: String) -> String { digest(of: secret).hex }

    /// The hash itself, for a look-up in memory.
    public static func digest(of secret: String) -> SHA256Digest {
        var secret = secret
        return secret.withUTF8 { SHA256Hasher.hash(UnsafeRawBufferPointer($0)) }
    }

    /// Whether `secret` is the one that `hex` was made from. Takes the same time wherever the two differ;
    /// `false` when `hex` is no hash.
    public static func matches(_ secret: String, hex: String) -> Bool {
        guard let expected = SHA256Digest(hex: hex) else { return false }
        return ConstantTime.equals(SHA256Hasher.hash(secret.utf8).bytes, expected.bytes)
    }
}

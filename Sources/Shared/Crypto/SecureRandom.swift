import COpenSSL

/// Random bytes for keys, tokens and identifiers that nobody may guess.
public enum SecureRandom {
    /// `count` random bytes. Safe from any thread and after `fork`.
    ///
    /// Stops the process when the operating system gives no randomness: every secret made after that could be
    /// guessed. A negative count is a programmer error and stops the process too.
    ///
    /// Wraps `RAND_bytes`.
    public static func bytes(_ count: Int) -> [UInt8] {
        guard let length = Int32(exactly: count), length >= 0 else {
            preconditionFailure("SecureRandom.bytes: the count must be 0 to 2147483647")
        }
        var bytes = [UInt8](repeating: 0, count: count)
        guard RAND_bytes(&bytes, length) == 1 else { CryptoError.stop("RAND_bytes") }
        return bytes
    }
}

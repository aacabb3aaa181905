import COpenSSL

/// Comparisons whose time says nothing about the bytes.
public enum ConstantTime {
    /// Whether both hold the same bytes. The time depends on the lengths only, which are not kept secret.
    ///
    /// Wraps `CRYPTO_memcmp`.
    public static func equals(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
    }
}

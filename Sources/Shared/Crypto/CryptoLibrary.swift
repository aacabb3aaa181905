import COpenSSL

/// OpenSSL's state for the whole process.
package enum CryptoLibrary {
    /// Sets OpenSSL up once, so that it stays usable until the process has ended.
    ///
    /// By default, OpenSSL frees its state when `exit` runs. A download on another thread that needs OpenSSL after that
    /// would crash the app while it ends. The system takes the memory back anyway. This only holds if it is called before
    /// anything else uses OpenSSL, so each first use calls it: here, and before libcurl is set up. A later call costs a
    /// comparison.
    ///
    /// Wraps `OPENSSL_init_crypto` with `OPENSSL_INIT_NO_ATEXIT`.
    package static func prepare() { _ = isPrepared }

    private static let isPrepared = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1
}

import HearthCrypto
package import HearthFiles

/// The server's one signing secret, and the keys derived from it.
///
/// It is stored as 32 random bytes in a file of mode 0600. Anyone who can read that file can sign links and tokens;
/// nothing else on the server allows that.
package struct ServerSecret: Sendable {
    private let root: HMACSHA256

    /// Reads the secret at `path`, or creates one if there is none.
    package init(path: String, files: any FileOperations = DiskFiles()) throws(FileError) {
        if try files.size(path) == nil {
            try AtomicFile.write(SecureRandom.bytes(32), to: path, mode: 0o600, files: files)
        }
        let bytes = try files.read(path, limitBytes: 1024)
        guard bytes.count == 32 else {
            throw FileError(.mismatch, "The signing secret \(path) is damaged: it has \(bytes.count) bytes, not 32")
        }
        root = HMACSHA256(key: bytes)
    }

    /// A key for one purpose. A tag made for one purpose is invalid for all others.
    func key(for purpose: String) -> HMACSHA256 {
        HMACSHA256(key: root.tag(for: Array(purpose.utf8)))
    }
}

/// Checks the expiry of what the server signed.
enum SignedTime {
    /// A time further ahead than the lifetime and this leeway was signed while the clock was wrong.
    private static let leewaySeconds: Int64 = 300

    /// Whether `expires` is in the future, and no further than `lifetimeSeconds` allow.
    static func isAhead(_ expires: Int64, lifetimeSeconds: Int64, nowSeconds: Int64) -> Bool {
        let (latest, isBeyond) = nowSeconds.addingReportingOverflow(lifetimeSeconds + leewaySeconds)
        return expires > nowSeconds && (isBeyond || expires <= latest)
    }
}

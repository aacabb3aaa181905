public import HearthCrypto

/// A blob that nobody seemed to need: out of sight, with its bytes kept for a while.
public struct AsideBlob: Sendable, Hashable {
    public let digest: SHA256Digest
    /// When it was set aside, in seconds since 1970 by the clock of that time.
    public let seconds: Int64

    public init(digest: SHA256Digest, seconds: Int64) {
        self.digest = digest
        self.seconds = seconds
    }
}

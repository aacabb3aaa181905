import HearthCrypto

/// Which bytes a model's name stands for on this device. Small, replaced whole.
struct ModelPointer: Codable, Sendable, Equatable {
    var name: String
    /// The server's version number, if it told one.
    var version: Int?
    /// Lower-case hex SHA-256; the file's name in the store.
    var hash: String
    var size: UInt64
    /// The hash before the last update: callers may still hold its path.
    var previousHash: String?

    var digest: SHA256Digest? { SHA256Digest(hex: hash) }
}

package import HearthCatalog
import HearthCrypto

/// Where a server's signing keys are. Calls block.
///
/// A change runs inside a transaction of the metadata, so that its audit entry is written with it. A store in the
/// metadata writes the change there; another one must fail before it changes anything, because what it has changed is not
/// undone with the transaction.
package protocol SigningKeyStore: Sendable {
    /// Whether several servers use the same keys.
    var isShared: Bool { get }
    /// Grows when the keys may have changed by another server's hand. Cheap to read. Keys that are read after the revision
    /// are at least as new.
    var revision: UInt64 { get }

    /// All keys, oldest first, including retired ones.
    func load() throws -> [SigningKey]
    /// All keys, oldest first. Makes a key if none is in use, as at a server's first start.
    func loadOrMake(nowMicroseconds: Int64) throws -> [SigningKey]

    /// As `load`, inside a transaction.
    func load(in transaction: any MetadataReader) throws -> [SigningKey]
    func add(_ key: SigningKey, in transaction: any MetadataWriter) throws
    /// Replaces the key of the same number by its retired form, which has no secret.
    func retire(_ key: SigningKey, in transaction: any MetadataWriter) throws
}

extension SigningKey {
    /// A new key that follows the others.
    package static func next(after others: [SigningKey], nowMicroseconds: Int64) -> SigningKey {
        SigningKey(
            number: (others.map(\.number).max() ?? 0) + 1, secret: SecureRandom.bytes(secretBytes),
            createdMicroseconds: nowMicroseconds)
    }
}

public import HearthCrypto

/// Model bytes, named by their SHA-256. Implementations: in memory, files.
///
/// Calls block. A blob is visible whole or not at all.
public protocol BlobStore: Sendable {
    /// Begins an upload of at most `limitBytes`.
    func begin(limitBytes: UInt64) throws(StorageError) -> any IncomingBlob

    /// The stored length, or nil.
    func size(of digest: SHA256Digest) throws(StorageError) -> UInt64?

    /// Opens a blob for reading; the caller owns the descriptor. `.notFound` when it is not there.
    func open(_ digest: SHA256Digest) throws(StorageError) -> OpenBlob

    /// Removes a blob if it is there. Open readers keep theirs.
    func remove(_ digest: SHA256Digest) throws(StorageError)
}

/// Bytes on their way in: in quarantine until `commit`. Released without it, they are gone.
/// One owner, one thread at a time.
public protocol IncomingBlob: AnyObject {
    var size: UInt64 { get }

    func write(_ bytes: UnsafeRawBufferPointer) throws(StorageError)

    /// Ends writing and makes the bytes durable, still invisible.
    func seal() throws(StorageError) -> SHA256Digest

    /// An open descriptor on the sealed bytes for whoever must check them; the caller owns and closes it.
    func openForInspection() throws(StorageError) -> Int32

    /// Makes the sealed bytes visible under their hash.
    func commit() throws(StorageError)
}

/// An open descriptor on a blob's bytes, from offset 0 to `size`. Whoever opened it owns and closes it.
public struct OpenBlob: Sendable {
    public let descriptor: Int32
    public let size: UInt64
}

package import HearthCrypto
import Synchronization

/// Model bytes, named by their SHA-256. Implementation: files.
///
/// Calls block. A blob is visible whole or not at all.
package protocol BlobStore: Sendable {
    /// Begins an upload of at most `limitBytes`.
    func begin(limitBytes: UInt64) throws(StorageError) -> any IncomingBlob

    /// Goes on with a resumable upload, or begins it. Bytes beyond `size`, which nobody was told of, are forgotten.
    ///
    /// - Parameters:
    ///   - id: of the upload: letters, digits, `-` and `_`.
    ///   - size: how many bytes of it were made durable before.
    /// - Returns: nil while somebody else goes on with it.
    /// - Throws: `.notFound` when fewer than `size` bytes are there.
    func resume(_ id: String, from size: UInt64, limitBytes: UInt64) throws(StorageError) -> (any ResumedBlob)?

    /// Removes the bytes of a resumable upload if there are any.
    func removeResumable(_ id: String) throws(StorageError)

    /// The ids of all resumable uploads that have bytes here.
    func resumable() throws(StorageError) -> [String]

    /// The stored length, or nil.
    func size(of digest: SHA256Digest) throws(StorageError) -> UInt64?

    /// All blobs that are there, in any order.
    func digests() throws(StorageError) -> [SHA256Digest]

    /// Opens a blob for reading; the caller owns the descriptor. `.notFound` when it is not there.
    func open(_ digest: SHA256Digest) throws(StorageError) -> OpenBlob

    /// How many bytes there is room for.
    func freeBytes() throws(StorageError) -> UInt64

    /// Removes those that are there, in less time than one by one. Open readers keep theirs.
    func remove(_ digests: [SHA256Digest]) throws(StorageError)

    /// Keeps those that are there out of sight, with their bytes. Open readers keep theirs.
    ///
    /// - Parameter seconds: since 1970.
    /// - Returns: how many they were.
    func moveToTrash(_ digests: [SHA256Digest], atSeconds seconds: Int64) throws(StorageError) -> Int

    /// All blobs that are set aside, in any order; one that was set aside twice comes twice.
    func trashedBlobs() throws(StorageError) -> [TrashedBlob]

    /// Makes those visible again of which no other one is visible. Returns how many they were.
    func restoreFromTrash(_ trashedBlobs: [TrashedBlob]) throws(StorageError) -> Int

    /// Removes those for good. Returns how many they were.
    func deleteTrashed(_ trashedBlobs: [TrashedBlob]) throws(StorageError) -> Int
}

extension BlobStore {
    /// Removes a blob if it is there. Open readers keep theirs.
    package func remove(_ digest: SHA256Digest) throws(StorageError) { try remove([digest]) }
}

/// Bytes on their way in: in quarantine until `commit`. Released without it, they are gone.
/// One owner, one thread at a time.
package protocol IncomingBlob: AnyObject {
    var size: UInt64 { get }

    func write(_ bytes: UnsafeRawBufferPointer) throws(StorageError)

    /// Ends writing and makes the bytes durable, still invisible.
    func seal() throws(StorageError) -> BlobChecksums

    /// An open descriptor on the sealed bytes for whoever must check them; the caller owns and closes it.
    func openForInspection() throws(StorageError) -> Int32

    /// Makes the sealed bytes visible under their hash.
    func commit() throws(StorageError)
}

/// The bytes of a resumable upload during one request. Released without `commit`, those that were synchronised stay;
/// `size` counts the ones of earlier requests too.
package protocol ResumedBlob: IncomingBlob {
    /// Makes all bytes so far durable, so that the uploader may be told that they have arrived.
    func synchronize() throws(StorageError)
}

/// What is computed of a blob's bytes.
package struct BlobChecksums: Sendable, Hashable {
    package let sha256: SHA256Digest
    package let crc32c: CRC32C

    package init(sha256: SHA256Digest, crc32c: CRC32C) {
        self.sha256 = sha256
        self.crc32c = crc32c
    }
}

/// An open descriptor on a blob's bytes, from offset 0 to `size`. Whoever opened it owns and closes it.
package struct OpenBlob: Sendable {
    package let descriptor: Int32
    package let size: UInt64
}

/// A blob that nobody seemed to need: out of sight, with its bytes kept for a while.
package struct TrashedBlob: Sendable, Hashable {
    package let digest: SHA256Digest
    /// When it was set aside, in seconds since 1970 by the clock of that time.
    package let seconds: Int64

    package init(digest: SHA256Digest, seconds: Int64) {
        self.digest = digest
        self.seconds = seconds
    }
}

/// Keeps two things apart that would harm each other: bytes become visible and are then recorded, and bytes that no
/// record names are removed. One gate for each blob store of a server.
///
/// Whoever waits, waits for a few file operations and a transaction; no check of a model runs inside.
package final class BlobStoreLock: Sendable {
    private let turn = Mutex<Void>(())

    package init() {}

    /// Runs `body` while nobody else is inside. Not to be nested.
    package func withLock<Result, Failure: Error>(
        _ body: () throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try turn.withLock { _ throws(Failure) in try body() }
    }
}

package import HearthCrypto

/// Model bytes, named by their SHA-256. Implemented with files.
///
/// Calls block. A blob is visible completely or not at all.
package protocol BlobStore: Sendable {
    /// Begins an upload of at most `limitBytes`.
    func begin(limitBytes: UInt64) throws(StorageError) -> any IncomingBlob

    /// Continues a resumable upload, or begins it. Bytes beyond `size` were never confirmed to an uploader, and are
    /// dropped.
    ///
    /// - Parameters:
    ///   - id: of the upload: letters, digits, `-` and `_`.
    ///   - size: how many bytes of it were made durable before.
    /// - Returns: nil while another caller continues it.
    /// - Throws: `.notFound` if fewer than `size` bytes are stored.
    func resume(_ id: String, from size: UInt64, limitBytes: UInt64) throws(StorageError) -> (any ResumedBlob)?

    /// Removes the bytes of a resumable upload, if there are any.
    func removeResumable(_ id: String) throws(StorageError)

    /// The ids of all resumable uploads that have bytes in this store.
    func resumable() throws(StorageError) -> [String]

    /// Whether `resume` has the bytes at hand. Otherwise it fetches those that arrived at another server, so no thread should
    /// wait for it that others need.
    func resumesAtOnce(_ id: String, from size: UInt64) -> Bool

    /// Of `resumable`, those with a file of this server that no other server can remove; empty where one server has all.
    func resumableHere() throws(StorageError) -> [String]

    /// Removes that file, and not what other servers have.
    func removeResumableHere(_ id: String) throws(StorageError)

    /// The stored length, or nil.
    func size(of digest: SHA256Digest) throws(StorageError) -> UInt64?

    /// All visible blobs, in any order.
    func digests() throws(StorageError) -> [SHA256Digest]

    /// The visible blobs that no server can be about to record. Only such blobs may be removed because no record names
    /// them.
    func settledDigests() throws(StorageError) -> [SHA256Digest]

    /// Opens a blob for reading. The caller owns the descriptor. Throws `.notFound` if there is no such blob. It may fetch the
    /// bytes first, so no thread should wait for it that others need.
    func open(_ digest: SHA256Digest) throws(StorageError) -> OpenBlob

    /// Opens a blob without a fetch, in no more time than it takes to open a file: nil if the bytes must be fetched
    /// first.
    func openAtHand(_ digest: SHA256Digest) throws(StorageError) -> OpenBlob?

    /// Whether `size` takes no longer than to look at a file.
    var knowsSizesAtOnce: Bool { get }

    /// A link with which anybody may download the blob for a while, past this server; nil if the store has none. It may
    /// lead to nothing.
    ///
    /// - Parameter seconds: 1 to 604,800, a week.
    func downloadURL(_ digest: SHA256Digest, seconds: Int) throws(StorageError) -> String?

    /// What is known of the remote store; nil where there is none.
    var remoteStoreUse: RemoteStoreUse? { get }

    /// How many bytes are free on the disk.
    func freeBytes() throws(StorageError) -> UInt64

    /// How many bytes are free on the disk. If they were fewer than `wanted`, copies of what is stored elsewhere give
    /// way first.
    func freeBytes(wanted: UInt64) throws(StorageError) -> UInt64

    /// Removes the given blobs, as far as they exist, in less time than one by one. Open readers keep theirs.
    func remove(_ digests: [SHA256Digest]) throws(StorageError)

    /// Moves the given blobs, as far as they exist, to the trash: they keep their bytes and are no longer visible. Open
    /// readers keep theirs.
    ///
    /// - Parameter seconds: since 1970.
    /// - Returns: how many were moved.
    func moveToTrash(_ digests: [SHA256Digest], atSeconds seconds: Int64) throws(StorageError) -> Int

    /// False while a store elsewhere does not answer. Then its calls fail at once with `.unavailable`, except for blobs that
    /// are kept here. Cheap to read.
    var isAnswering: Bool { get }
    /// What the last attempt to reach a store failed with that does not answer; nil if it is not known.
    var outage: String? { get }
    /// Why a store that answers must not be used; nil if there is no reason.
    var refusal: String? { get }
    /// Finds out whether the store answers. To be called every few seconds, by one thread.
    func probe()

    /// All blobs in the trash, in any order. A blob that was moved there twice is listed twice.
    func trashedBlobs() throws(StorageError) -> [TrashedBlob]

    /// Makes the given blobs visible again, except those that are visible already. Returns how many were restored.
    func restoreFromTrash(_ trashedBlobs: [TrashedBlob]) throws(StorageError) -> Int

    /// Deletes the given blobs for good. Returns how many were deleted.
    func deleteTrashed(_ trashedBlobs: [TrashedBlob]) throws(StorageError) -> Int
}

extension BlobStore {
    package func resumesAtOnce(_ id: String, from size: UInt64) -> Bool { true }
    package func resumableHere() throws(StorageError) -> [String] { [] }
    package func removeResumableHere(_ id: String) throws(StorageError) {}
    package var isAnswering: Bool { true }
    package var outage: String? { nil }
    package var refusal: String? { nil }
    package func probe() {}
    package func openAtHand(_ digest: SHA256Digest) throws(StorageError) -> OpenBlob? { try open(digest) }
    package func freeBytes(wanted: UInt64) throws(StorageError) -> UInt64 { try freeBytes() }
    package var knowsSizesAtOnce: Bool { true }
    package var remoteStoreUse: RemoteStoreUse? { nil }
    package func settledDigests() throws(StorageError) -> [SHA256Digest] { try digests() }
    package func downloadURL(_ digest: SHA256Digest, seconds: Int) throws(StorageError) -> String? { nil }

    /// Removes a blob, if it exists. Open readers keep theirs.
    package func remove(_ digest: SHA256Digest) throws(StorageError) { try remove([digest]) }
}

/// Incoming bytes, in quarantine until `commit`. Releasing the object without `commit` deletes them. One owner, one
/// thread at a time.
package protocol IncomingBlob: AnyObject {
    var size: UInt64 { get }

    func write(_ bytes: UnsafeRawBufferPointer) throws(StorageError)

    /// Ends writing and makes the bytes durable. They stay invisible.
    func seal() throws(StorageError) -> BlobChecksums

    /// An open descriptor of the sealed bytes, for checks. The caller owns and closes it.
    func openForInspection() throws(StorageError) -> Int32

    /// Does what takes long in making the sealed bytes visible, so that `commit`, which others wait for, is short. Nothing
    /// needs to call it.
    func prepareCommit() throws(StorageError)

    /// Makes the sealed bytes visible under their hash.
    func commit() throws(StorageError)
}

extension IncomingBlob {
    package func prepareCommit() throws(StorageError) {}
}

/// The bytes of a resumable upload during one request. If it is released without `commit`, the bytes that were
/// synchronized stay. `size` includes the bytes of earlier requests.
package protocol ResumedBlob: IncomingBlob {
    /// Makes all bytes so far durable, so that the uploader may get their confirmation.
    func synchronize() throws(StorageError)
}

/// The checksums of a blob's bytes.
package struct BlobChecksums: Sendable, Hashable {
    package let sha256: SHA256Digest
    package let crc32c: CRC32C

    package init(sha256: SHA256Digest, crc32c: CRC32C) {
        self.sha256 = sha256
        self.crc32c = crc32c
    }
}

/// An open descriptor of a blob's bytes, from offset 0 to `size`. The caller that opened it owns and closes it.
package struct OpenBlob: Sendable {
    package let descriptor: Int32
    package let size: UInt64

    package init(descriptor: Int32, size: UInt64) { (self.descriptor, self.size) = (descriptor, size) }
}

/// A blob that seemed unneeded: invisible, with its bytes kept for a while.
package struct TrashedBlob: Sendable, Hashable {
    package let digest: SHA256Digest
    /// When it was moved to the trash, in seconds since 1970 by the clock of that time.
    package let seconds: Int64

    package init(digest: SHA256Digest, seconds: Int64) {
        self.digest = digest
        self.seconds = seconds
    }
}

package import HearthCrypto
package import HearthStorage

/// A blob store that hands each call to another one. What conforms to it says only where it differs.
package protocol ForwardingBlobStore: BlobStore {
    var base: any BlobStore { get }
}

extension ForwardingBlobStore {
    package func begin(limitBytes: UInt64) throws(StorageError) -> any IncomingBlob {
        try base.begin(limitBytes: limitBytes)
    }
    package func resume(
        _ id: String, from size: UInt64, limitBytes: UInt64
    ) throws(StorageError) -> (any ResumedBlob)? {
        try base.resume(id, from: size, limitBytes: limitBytes)
    }
    package func removeResumable(_ id: String) throws(StorageError) { try base.removeResumable(id) }
    package func resumable() throws(StorageError) -> [String] { try base.resumable() }
    package func size(of digest: SHA256Digest) throws(StorageError) -> UInt64? { try base.size(of: digest) }
    package func digests() throws(StorageError) -> [SHA256Digest] { try base.digests() }
    package func open(_ digest: SHA256Digest) throws(StorageError) -> OpenBlob { try base.open(digest) }
    package func freeBytes() throws(StorageError) -> UInt64 { try base.freeBytes() }
    package func remove(_ digests: [SHA256Digest]) throws(StorageError) { try base.remove(digests) }
    package func moveToTrash(_ digests: [SHA256Digest], atSeconds seconds: Int64) throws(StorageError) -> Int {
        try base.moveToTrash(digests, atSeconds: seconds)
    }
    package func trashedBlobs() throws(StorageError) -> [TrashedBlob] { try base.trashedBlobs() }
    package func restoreFromTrash(_ trashed: [TrashedBlob]) throws(StorageError) -> Int {
        try base.restoreFromTrash(trashed)
    }
    package func deleteTrashed(_ trashed: [TrashedBlob]) throws(StorageError) -> Int {
        try base.deleteTrashed(trashed)
    }
}

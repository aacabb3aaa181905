import HearthCatalog
import HearthCrypto
package import HearthStorage

/// Handles unneeded model files: moves them to the trash, restores them if they are needed again, and deletes them in
/// the end.
package struct TrashedFiles: Sendable {
    private let metadata: any MetadataStore
    private let blobs: any BlobStore
    private let blobLock: BlobStoreLock

    /// - Parameter blobLock: the lock of the blob store.
    package init(metadata: any MetadataStore, blobs: any BlobStore, blobLock: BlobStoreLock) {
        self.metadata = metadata
        self.blobs = blobs
        self.blobLock = blobLock
    }

    /// Restores files that a record names again, for example after a restore of the database.
    ///
    /// - Returns: how many files.
    @discardableResult package func restoreFromTrash() throws -> Int {
        let trash = try blobs.trashedBlobs()
        guard !trash.isEmpty else { return 0 }
        // The lock may be long in coming, as during a backup, and is seldom needed.
        let wanted = try needed()
        guard trash.contains(where: { wanted.contains($0.digest.hex) }) else { return 0 }
        return try blobLock.withLock(.removing) { () throws -> Int in
            let needed = try needed()
            return try blobs.restoreFromTrash(trash.filter { needed.contains($0.digest.hex) })
        }
    }

    /// - Throws: `.unavailable` while somebody else uses the model files for longer than a moment.
    func checkRemovalIsPossible() throws { try blobLock.withLock(.removing) {} }

    /// The hashes of the files to keep.
    func needed() throws -> Set<String> { try metadata.read { try $0.referencedHashes() } }

    /// Moves unneeded files to the trash. The need is checked again, because the same bytes may have been uploaded
    /// meanwhile.
    ///
    /// - Returns: how many files.
    func moveToTrash(_ digests: some Sequence<SHA256Digest>, atSeconds seconds: Int64) throws -> Int {
        try blobLock.withLock(.removing) { () throws -> Int in
            let needed = try neededNow(digests.map(\.hex))
            return try blobs.moveToTrash(digests.filter { !needed.contains($0.hex) }, atSeconds: seconds)
        }
    }

    /// Deletes files in the trash for good if they are unneeded, or if their bytes also exist under their name.
    ///
    /// - Returns: how many files.
    func remove(_ trash: some Sequence<TrashedBlob>) throws -> Int {
        try blobLock.withLock(.removing) { () throws -> Int in
            let needed = try neededNow(trash.map(\.digest.hex))
            return try blobs.deleteTrashed(
                trash.filter { try !needed.contains($0.digest.hex) || blobs.size(of: $0.digest) != nil })
        }
    }

    private func neededNow(_ hashes: [String]) throws -> Set<String> {
        try metadata.read { store in Set(try hashes.filter { try store.isReferenced(sha256: $0) }) }
    }
}

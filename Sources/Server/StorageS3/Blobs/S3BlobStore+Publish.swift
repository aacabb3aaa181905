import HearthCrypto
import HearthFiles
import HearthStorage

/// Making the bytes of a sealed file visible.
extension S3BlobStore {
    /// Stores the file as a blob. What is there already with the same bytes is not sent again, but written again, so that it
    /// is young. Other bytes in its place are replaced.
    func publish(_ path: String, as digest: SHA256Digest, size: UInt64) throws(StorageError) {
        let name = Self.name(digest)
        if let present = try client.head(name), present.size == size,
            try ObjectTag.isThat(of: path, size: size, present.tag)
        {
            if present.modifiedSeconds > client.now() - Self.rewriteSeconds { return }
            do { return try client.copy(name, to: name, size: size) } catch {
                // Removed meanwhile.
                guard error.code == .notFound else { throw error }
            }
        }
        try S3Objects(client).put(path, as: digest, size: size)
        guard size > Self.singlePutBytes else { return }
        // Nobody else needs to look for them: only a server that stores large files leaves such remains.
        _ = try? abortAbandonedParts()
    }

    /// Stores the file in a commit, which others wait for.
    ///
    /// - Parameter isPublished: whether `publish` has stored it a moment ago. Since then only maintenance may have removed it.
    func publish(
        _ path: String, as digest: SHA256Digest, size: UInt64, isPublished: Bool
    ) throws(StorageError) {
        if isPublished, try client.head(Self.name(digest))?.size == size { return }
        try publish(path, as: digest, size: size)
    }
}

/// An upload in one request.
final class IncomingS3Blob: IncomingBlob {
    private let file: IncomingFile
    private let store: S3BlobStore
    private var checksum = CRC32C()
    private var isPublished = false

    init(_ file: IncomingFile, store: S3BlobStore) { (self.file, self.store) = (file, store) }

    var size: UInt64 { file.size }

    func write(_ bytes: UnsafeRawBufferPointer) throws(StorageError) {
        try StorageError.wrapping { () throws(FileError) in try file.write(bytes) }
        checksum.update(bytes)
    }

    func seal() throws(StorageError) -> BlobChecksums {
        BlobChecksums(
            sha256: try StorageError.wrapping { () throws(FileError) in try file.seal() }, crc32c: checksum)
    }

    func openForInspection() throws(StorageError) -> Int32 { try BlobFile.descriptor(of: file.path) }

    func prepareCommit() throws(StorageError) {
        try store.publish(file.path, as: seal().sha256, size: size)
        isPublished = true
    }

    func commit() throws(StorageError) {
        let digest = try seal().sha256
        try store.publish(file.path, as: digest, size: size, isPublished: isPublished)
        // The blob is stored. Without its local copy, its first reader fetches it.
        try? store.cache.adopt(digest) { () throws(FileError) in _ = try file.commit() }
    }
}

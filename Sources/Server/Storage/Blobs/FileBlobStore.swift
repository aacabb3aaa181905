import Glibc
package import HearthCrypto
package import HearthFiles

/// `BlobStore` over a folder of content-addressed files.
package struct FileBlobStore: BlobStore {
    private let store: ContentStore

    /// Opens or creates the folder, and deletes what interrupted uploads left in it.
    package init(folder: String, files: any FileOperations = DiskFiles()) throws(StorageError) {
        store = try StorageError.wrapping { () throws(FileError) in
            let store = try ContentStore(folder: folder, files: files)
            try store.sweepAbandoned()
            return store
        }
    }

    package func begin(limitBytes: UInt64) throws(StorageError) -> any IncomingBlob {
        IncomingFileBlob(try StorageError.wrapping { () throws(FileError) in try store.begin(limitBytes: limitBytes) })
    }

    package func resume(
        _ id: String, from size: UInt64, limitBytes: UInt64
    ) throws(StorageError) -> (any ResumedBlob)? {
        let file = try StorageError.wrapping { () throws(FileError) in
            try store.resume(id, from: size, limitBytes: limitBytes)
        }
        return file.map { ResumedFileBlob($0) }
    }

    package func removeResumable(_ id: String) throws(StorageError) {
        try StorageError.wrapping { () throws(FileError) in try store.removeResumable(id) }
    }

    package func resumable() throws(StorageError) -> [String] {
        try StorageError.wrapping { () throws(FileError) in try store.resumable() }
    }

    /// Regular files only: the target of a link does not belong to the store.
    package func size(of digest: SHA256Digest) throws(StorageError) -> UInt64? {
        let path = store.path(of: digest)
        guard PathKind(path) != .unknown else {
            throw StorageError(.io, "Cannot read the state of the stored file \(path)")
        }
        return FileStamp(path: path)?.size
    }

    package func digests() throws(StorageError) -> [SHA256Digest] {
        try StorageError.wrapping { () throws(FileError) in try store.digests() }
    }

    package func open(_ digest: SHA256Digest) throws(StorageError) -> OpenBlob {
        try BlobFile.open(store.path(of: digest))
    }

    package func freeBytes() throws(StorageError) -> UInt64 {
        try StorageError.wrapping { () throws(FileError) in try store.freeBytes() }
    }

    package func remove(_ digests: [SHA256Digest]) throws(StorageError) {
        try StorageError.wrapping { () throws(FileError) in try store.remove(digests) }
    }

    package func moveToTrash(_ digests: [SHA256Digest], atSeconds seconds: Int64) throws(StorageError) -> Int {
        try StorageError.wrapping { () throws(FileError) in try store.moveToTrash(digests, atSeconds: seconds) }
    }

    package func trashedBlobs() throws(StorageError) -> [TrashedBlob] {
        try StorageError.wrapping { () throws(FileError) in try store.trashedFiles() }
            .map { TrashedBlob(digest: $0.digest, seconds: $0.seconds) }
    }

    package func restoreFromTrash(_ trashedBlobs: [TrashedBlob]) throws(StorageError) -> Int {
        try StorageError.wrapping { () throws(FileError) in try store.restoreFromTrash(trashedBlobs.map(Self.named)) }
    }

    package func deleteTrashed(_ trashedBlobs: [TrashedBlob]) throws(StorageError) -> Int {
        try StorageError.wrapping { () throws(FileError) in try store.deleteTrashed(trashedBlobs.map(Self.named)) }
    }

    private static func named(_ blob: TrashedBlob) -> ContentStore.TrashedFile {
        ContentStore.TrashedFile(digest: blob.digest, seconds: blob.seconds)
    }
}

/// An upload in one request, as a file in quarantine.
private final class IncomingFileBlob: IncomingBlob {
    private let file: IncomingFile
    private var checksum = CRC32C()

    init(_ file: IncomingFile) { self.file = file }

    var size: UInt64 { file.size }

    func write(_ bytes: UnsafeRawBufferPointer) throws(StorageError) {
        try StorageError.wrapping { () throws(FileError) in try file.write(bytes) }
        checksum.update(bytes)
    }

    func seal() throws(StorageError) -> BlobChecksums {
        BlobChecksums(sha256: try StorageError.wrapping { () throws(FileError) in try file.seal() }, crc32c: checksum)
    }

    func openForInspection() throws(StorageError) -> Int32 { try BlobFile.descriptor(of: file.path) }

    func commit() throws(StorageError) {
        try StorageError.wrapping { () throws(FileError) in _ = try file.commit() }
    }
}

/// A resumable upload, as a file in quarantine.
private final class ResumedFileBlob: ResumedBlob {
    private let file: ResumedFile

    init(_ file: ResumedFile) { self.file = file }

    var size: UInt64 { file.size }

    func write(_ bytes: UnsafeRawBufferPointer) throws(StorageError) {
        try StorageError.wrapping { () throws(FileError) in try file.write(bytes) }
    }

    func synchronize() throws(StorageError) {
        try StorageError.wrapping { () throws(FileError) in try file.synchronize() }
    }

    func seal() throws(StorageError) -> BlobChecksums {
        let found = try StorageError.wrapping { () throws(FileError) in try file.seal() }
        return BlobChecksums(sha256: found.sha256, crc32c: found.crc32c)
    }

    func openForInspection() throws(StorageError) -> Int32 { try BlobFile.descriptor(of: file.path) }

    func commit() throws(StorageError) {
        try StorageError.wrapping { () throws(FileError) in try file.commit() }
    }
}

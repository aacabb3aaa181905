public import HearthCrypto
import Synchronization

/// `BlobStore` for tests and throw-away servers: nameless files that are gone with the process.
public final class MemoryBlobStore: BlobStore {
    private let blobs = Mutex<[SHA256Digest: NamelessFile]>([:])
    private let uploads = Mutex<[String: Upload]>([:])
    private let hidden = Mutex<[AsideBlob: NamelessFile]>([:])

    private struct Upload {
        var file: NamelessFile
        var isInUse = false
    }

    public init() {}

    public func begin(limitBytes: UInt64) throws(StorageError) -> any IncomingBlob {
        IncomingMemoryBlob(try NamelessFile(), limitBytes: limitBytes) { [self] in install($0, as: $1) }
    }

    public func resume(
        _ id: String, from size: UInt64, limitBytes: UInt64
    ) throws(StorageError) -> (any ResumedBlob)? {
        let fresh = size == 0 ? try NamelessFile() : nil
        let file: NamelessFile? = try locked { (uploads) throws(StorageError) in
            guard let upload = uploads[id] ?? fresh.map({ Upload(file: $0) }), upload.file.size >= size else {
                throw StorageError(.notFound, "Cannot go on with the upload \(id): what had come of it is gone")
            }
            guard !upload.isInUse else { return nil }
            uploads[id] = Upload(file: upload.file, isInUse: true)
            return upload.file
        }
        guard let file else { return nil }
        let end = UploadEnd { [self] in uploads.withLock { $0[id]?.isInUse = false } }
        try file.truncate(to: size)
        return ResumedMemoryBlob(file, size: size, limitBytes: limitBytes, end: end) { [self] in
            uploads.withLock { $0[id] = nil }
            install($0, as: $1)
        }
    }

    public func removeResumable(_ id: String) throws(StorageError) {
        uploads.withLock { $0[id] = nil }
    }

    public func resumable() throws(StorageError) -> [String] {
        uploads.withLock { $0.keys.sorted() }
    }

    public func size(of digest: SHA256Digest) throws(StorageError) -> UInt64? {
        blobs.withLock { $0[digest]?.size }
    }

    public func digests() throws(StorageError) -> [SHA256Digest] {
        blobs.withLock { Array($0.keys) }
    }

    public func open(_ digest: SHA256Digest) throws(StorageError) -> OpenBlob {
        guard let blob = blobs.withLock({ $0[digest] }) else {
            throw StorageError(.notFound, "There is no stored file \(digest.hex)")
        }
        return OpenBlob(descriptor: try blob.reopen(), size: blob.size)
    }

    public func freeBytes() throws(StorageError) -> UInt64? { nil }

    public func remove(_ digests: [SHA256Digest]) throws(StorageError) {
        blobs.withLock { blobs in for digest in digests { blobs[digest] = nil } }
    }

    public func setAside(_ digests: [SHA256Digest], atSeconds seconds: Int64) throws(StorageError) -> Int {
        digests.count { digest in
            guard let file = blobs.withLock({ $0.removeValue(forKey: digest) }) else { return false }
            hidden.withLock { $0[AsideBlob(digest: digest, seconds: seconds)] = file }
            return true
        }
    }

    public func asides() throws(StorageError) -> [AsideBlob] {
        hidden.withLock { Array($0.keys) }
    }

    public func putBack(_ asides: [AsideBlob]) throws(StorageError) -> Int {
        asides.sorted { $0.seconds > $1.seconds }.count { aside in
            guard blobs.withLock({ $0[aside.digest] == nil }),
                let file = hidden.withLock({ $0.removeValue(forKey: aside) })
            else { return false }
            install(file, as: aside.digest)
            return true
        }
    }

    public func removeAsides(_ asides: [AsideBlob]) throws(StorageError) -> Int {
        hidden.withLock { hidden in asides.count { hidden.removeValue(forKey: $0) != nil } }
    }

    private func install(_ blob: NamelessFile, as digest: SHA256Digest) {
        blobs.withLock { $0[digest] = blob }
    }

    /// `withLock` rethrows untyped errors; carries ours across.
    private func locked<Result: Sendable>(
        _ body: (inout [String: Upload]) throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        let result: Swift.Result<Result, StorageError> = uploads.withLock { uploads in
            do throws(StorageError) { return .success(try body(&uploads)) } catch { return .failure(error) }
        }
        return try result.get()
    }
}

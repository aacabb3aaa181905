import Glibc
public import HearthCrypto
import Synchronization

/// `BlobStore` for tests and throw-away servers: nameless files that are gone with the process.
public final class MemoryBlobStore: BlobStore {
    private let blobs = Mutex<[SHA256Digest: Blob]>([:])

    public init() {}

    public func begin(limitBytes: UInt64) throws(StorageError) -> any IncomingBlob {
        IncomingMemoryBlob(try Blob(), limitBytes: limitBytes, store: self)
    }

    public func size(of digest: SHA256Digest) throws(StorageError) -> UInt64? {
        blobs.withLock { $0[digest]?.size }
    }

    public func open(_ digest: SHA256Digest) throws(StorageError) -> OpenBlob {
        guard let blob = blobs.withLock({ $0[digest] }) else {
            throw StorageError(.notFound, "There is no stored file \(digest.hex)")
        }
        return OpenBlob(descriptor: try blob.reopen(), size: blob.size)
    }

    public func remove(_ digest: SHA256Digest) throws(StorageError) {
        blobs.withLock { $0[digest] = nil }
    }

    fileprivate func install(_ blob: Blob, as digest: SHA256Digest) {
        blobs.withLock { $0[digest] = blob }
    }
}

/// One nameless file, closed with the object.
private final class Blob: Sendable {
    private let descriptor: Int32

    init() throws(StorageError) {
        var template = Array("/tmp/hearth-blob-XXXXXX".utf8CString)
        descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw failure("make a temporary file") }
        unlink(template)
    }

    deinit { close(descriptor) }

    var size: UInt64 {
        var info = stat()
        return fstat(descriptor, &info) == 0 ? UInt64(info.st_size) : 0
    }

    func append(_ bytes: UnsafeRawBufferPointer) throws(StorageError) {
        var rest = bytes
        while let base = rest.baseAddress, !rest.isEmpty {
            let count = write(descriptor, base, rest.count)
            guard count > 0 else { throw failure("write to a temporary file") }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    /// A descriptor with a read position of its own.
    func reopen() throws(StorageError) -> Int32 {
        let copy = Glibc.open("/proc/self/fd/\(descriptor)", O_RDONLY | O_CLOEXEC)
        guard copy >= 0 else { throw failure("reopen a temporary file") }
        return copy
    }
}

private final class IncomingMemoryBlob: IncomingBlob {
    private let blob: Blob
    private let limitBytes: UInt64
    private let store: MemoryBlobStore
    private var hasher: SHA256Hasher? = SHA256Hasher()
    private var digest: SHA256Digest?
    private(set) var size: UInt64 = 0

    init(_ blob: Blob, limitBytes: UInt64, store: MemoryBlobStore) {
        self.blob = blob
        self.limitBytes = limitBytes
        self.store = store
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(StorageError) {
        guard digest == nil else { throw StorageError(.io, "Cannot write: the upload is complete") }
        guard UInt64(bytes.count) <= limitBytes - size else {
            throw StorageError(.tooLarge, "The file is larger than \(limitBytes) bytes")
        }
        hasher?.update(bytes)
        try blob.append(bytes)
        size += UInt64(bytes.count)
    }

    func seal() throws(StorageError) -> SHA256Digest {
        if let digest { return digest }
        guard let hasher = hasher.take() else { throw StorageError(.io, "Cannot complete the upload") }
        let result = hasher.finalize()
        digest = result
        return result
    }

    func openForInspection() throws(StorageError) -> Int32 { try blob.reopen() }

    func commit() throws(StorageError) {
        store.install(blob, as: try seal())
    }
}

private func failure(_ operation: String) -> StorageError {
    StorageError(.io, "Cannot \(operation): \(String(cString: strerror(errno)))")
}

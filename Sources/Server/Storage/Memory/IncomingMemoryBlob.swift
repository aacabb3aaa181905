import HearthCrypto

/// An upload into a `MemoryBlobStore`.
class IncomingMemoryBlob: IncomingBlob {
    private let file: NamelessFile
    private let limitBytes: UInt64
    private let install: (NamelessFile, SHA256Digest) -> Void
    private var sealed: BlobChecksums?
    private(set) var size: UInt64

    init(
        _ file: NamelessFile, size: UInt64 = 0, limitBytes: UInt64,
        install: @escaping (NamelessFile, SHA256Digest) -> Void
    ) {
        self.file = file
        self.size = size
        self.limitBytes = limitBytes
        self.install = install
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(StorageError) {
        guard sealed == nil else { throw StorageError(.io, "Cannot write: the upload is complete") }
        guard size <= limitBytes, UInt64(bytes.count) <= limitBytes - size else {
            throw StorageError(.tooLarge, "The file is larger than \(limitBytes) bytes")
        }
        try file.append(bytes)
        size += UInt64(bytes.count)
    }

    func seal() throws(StorageError) -> BlobChecksums {
        if let sealed { return sealed }
        let checksums = try file.checksums()
        sealed = checksums
        return checksums
    }

    func openForInspection() throws(StorageError) -> Int32 { try file.reopen() }

    func commit() throws(StorageError) {
        install(file, try seal().sha256)
    }
}

/// One request of a resumable upload into a `MemoryBlobStore`.
final class ResumedMemoryBlob: IncomingMemoryBlob, ResumedBlob {
    private let end: UploadEnd

    init(
        _ file: NamelessFile, size: UInt64, limitBytes: UInt64, end: UploadEnd,
        install: @escaping (NamelessFile, SHA256Digest) -> Void
    ) {
        self.end = end
        super.init(file, size: size, limitBytes: limitBytes, install: install)
    }

    /// What dies with the process needs no more.
    func synchronize() throws(StorageError) {}
}

/// Lets the next request go on with an upload when the last user of this one is gone.
final class UploadEnd {
    private let end: () -> Void

    init(_ end: @escaping () -> Void) { self.end = end }

    deinit { end() }
}

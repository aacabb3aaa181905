public import HearthCrypto

/// A file on its way into a `ContentStore` in several sittings; this is one of them.
///
/// What was synchronised stays when the object is released or the process dies, until the file is committed or removed.
/// One owner, one thread at a time; no second sitting can begin meanwhile.
public final class GrowingFile {
    /// Where the bytes lie until `commit`. For a reader that must check them first.
    public let path: String
    /// Earlier sittings included.
    public private(set) var size: UInt64

    private let file: any WritableFile
    private let limitBytes: UInt64
    private let store: ContentStore
    private var sealed: (sha256: SHA256Digest, crc32c: CRC32C)?
    private var isBroken = false

    init(file: any WritableFile, path: String, size: UInt64, limitBytes: UInt64, store: ContentStore) {
        self.file = file
        self.path = path
        self.size = size
        self.limitBytes = limitBytes
        self.store = store
    }

    /// Appends bytes. `.tooLarge` past the limit: nothing of the chunk is written then.
    public func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
        guard !isBroken, sealed == nil else {
            throw FileError(.io, "Cannot write to \(path): it is complete or broken")
        }
        guard size <= limitBytes, UInt64(bytes.count) <= limitBytes - size else {
            throw FileError(.tooLarge, "The file is larger than \(limitBytes) bytes")
        }
        do throws(FileError) {
            try file.write(bytes)
        } catch {
            // Some of the bytes may be there: what the next sitting may count on is no longer `size`.
            isBroken = true
            throw error
        }
        size += UInt64(bytes.count)
    }

    /// Makes all bytes so far durable, and the file itself.
    public func synchronize() throws(FileError) {
        guard !isBroken else { throw FileError(.io, "Cannot complete \(path): writing it failed") }
        try file.synchronize()
        try store.files.synchronizeFolder(store.folder)
    }

    /// Ends writing, makes the bytes durable and reads them again, from the first to the last.
    public func seal() throws(FileError) -> (sha256: SHA256Digest, crc32c: CRC32C) {
        if let sealed { return sealed }
        try synchronize()
        let found = try FileDigest.checksums(path)
        guard found.byteCount == size else {
            throw FileError(.mismatch, "The file \(path) has \(found.byteCount) bytes, but \(size) had come")
        }
        let checksums = (found.sha256, found.crc32c)
        sealed = checksums
        return checksums
    }

    /// Makes the file visible under its hash. Once.
    public func commit() throws(FileError) {
        try store.install(path, as: seal().sha256)
    }
}

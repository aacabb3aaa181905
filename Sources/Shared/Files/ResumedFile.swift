package import HearthCrypto

/// One session of an incoming file of a `ContentStore` that is written in several sessions.
///
/// Synchronized bytes stay when the object is released or the process dies, until the file is committed or removed. One
/// owner, one thread at a time; no second session can begin meanwhile.
package final class ResumedFile {
    /// Where the bytes are until `commit`, for a reader that must check them first.
    package let path: String
    /// Includes earlier sessions.
    package private(set) var size: UInt64

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

    /// Appends bytes. Throws `.tooLarge` beyond the limit, and then writes nothing of the chunk.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
        guard !isBroken, sealed == nil else {
            throw FileError(.io, "Cannot write to \(path): it is complete or broken")
        }
        guard size <= limitBytes, UInt64(bytes.count) <= limitBytes - size else {
            throw FileError(.tooLarge, "The file is larger than \(limitBytes) bytes")
        }
        do throws(FileError) {
            try file.write(bytes)
        } catch {
            // Some of the bytes may have been written: the next session can no longer rely on `size`.
            isBroken = true
            throw error
        }
        size += UInt64(bytes.count)
    }

    /// Makes all bytes so far durable, and the file itself.
    package func synchronize() throws(FileError) {
        guard !isBroken else { throw FileError(.io, "Cannot complete \(path): writing it failed") }
        try file.synchronize()
        try store.files.synchronizeFolder(store.folder)
    }

    /// Ends writing, makes the bytes durable, and reads all of them again.
    package func seal() throws(FileError) -> (sha256: SHA256Digest, crc32c: CRC32C) {
        if let sealed { return sealed }
        try synchronize()
        let found = try FileDigest.checksums(path)
        guard found.byteCount == size else {
            throw FileError(.mismatch, "The file \(path) has \(found.byteCount) bytes, but \(size) were received")
        }
        let checksums = (found.sha256, found.crc32c)
        sealed = checksums
        return checksums
    }

    /// Makes the file visible under its hash. Call it once.
    package func commit() throws(FileError) {
        try store.install(path, as: seal().sha256)
    }
}

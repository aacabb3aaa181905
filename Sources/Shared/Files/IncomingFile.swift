public import HearthCrypto

/// A file on its way into a `ContentStore`: hashed while it is written, invisible until `commit`.
///
/// One owner, one thread at a time. Released without `commit`, it deletes its bytes.
public final class IncomingFile {
    /// Where the bytes lie until `commit`. For a reader that must check them first.
    public let path: String
    public private(set) var size: UInt64 = 0

    private var file: (any WritableFile)?
    private var hasher: SHA256Hasher? = SHA256Hasher()
    private var sealed: SHA256Digest?
    private let limitBytes: UInt64
    private let store: ContentStore

    init(file: any WritableFile, path: String, limitBytes: UInt64, store: ContentStore) {
        self.file = file
        self.path = path
        self.limitBytes = limitBytes
        self.store = store
    }

    deinit {
        if file != nil { try? store.files.remove(path) }
    }

    /// Appends bytes. `.tooLarge` past the limit: nothing of the chunk is written then.
    public func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
        guard let file, hasher != nil else { throw FileError(.io, "Cannot write to \(path): it is complete or broken") }
        guard UInt64(bytes.count) <= limitBytes - size else {
            throw FileError(.tooLarge, "The file is larger than \(limitBytes) bytes")
        }
        do throws(FileError) {
            try file.write(bytes)
        } catch {
            // Some of the bytes may be there: the hash can no longer be told, so the file can no longer be committed.
            hasher = nil
            throw error
        }
        hasher?.update(bytes)
        size += UInt64(bytes.count)
    }

    /// Ends writing, makes the bytes durable and returns their hash. The file stays invisible.
    public func seal() throws(FileError) -> SHA256Digest {
        if let sealed { return sealed }
        guard let file, let hasher = hasher.take() else {
            throw FileError(.io, "Cannot complete \(path): writing it failed or it was committed")
        }
        try file.synchronize()
        let digest = hasher.finalize()
        sealed = digest
        return digest
    }

    /// Checks what is expected and makes the file visible under its hash.
    ///
    /// - Throws: `.mismatch` when length or hash differ from what was announced; the bytes are deleted then.
    @discardableResult
    public func commit(
        expecting expected: SHA256Digest? = nil, size expectedSize: UInt64? = nil
    ) throws(FileError) -> SHA256Digest {
        let digest = try seal()
        if let expectedSize, expectedSize != size {
            throw FileError(.mismatch, "The file has \(size) bytes, but \(expectedSize) were announced")
        }
        if let expected, expected != digest {
            throw FileError(.mismatch, "The file's SHA-256 is \(digest.hex), but \(expected.hex) was announced")
        }
        try store.install(path, as: digest)
        file = nil
        return digest
    }
}

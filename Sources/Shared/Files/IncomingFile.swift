package import HearthCrypto

/// An incoming file of a `ContentStore`: hashed while it is written, invisible until `commit`.
///
/// One owner, one thread at a time. Released without `commit`, it deletes its bytes.
package final class IncomingFile {
    /// Where the bytes are until `commit`, for a reader that must check them first.
    package let path: String
    package private(set) var size: UInt64 = 0

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

    /// Appends bytes. Throws `.tooLarge` beyond the limit, and then writes nothing of the chunk.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
        guard let file, hasher != nil else { throw FileError(.io, "Cannot write to \(path): it is complete or broken") }
        guard UInt64(bytes.count) <= limitBytes - size else {
            throw FileError(.tooLarge, "The file is larger than \(limitBytes) bytes")
        }
        do throws(FileError) {
            try file.write(bytes)
        } catch {
            // Some of the bytes may have been written: the hash is then unknown, so the file cannot be committed any
            // more.
            hasher = nil
            throw error
        }
        hasher?.update(bytes)
        size += UInt64(bytes.count)
    }

    /// Ends writing, makes the bytes durable and returns their hash. The file stays invisible.
    package func seal() throws(FileError) -> SHA256Digest {
        if let sealed { return sealed }
        guard let file, let hasher = hasher.take() else {
            throw FileError(.io, "Cannot complete \(path): writing it failed or it was committed")
        }
        try file.synchronize()
        let digest = hasher.finalize()
        sealed = digest
        return digest
    }

    /// Checks hash and size, if given, and makes the file visible under its hash.
    ///
    /// - Throws: `.mismatch` if length or hash differ from the expected ones; the bytes are deleted then.
    @discardableResult
    package func commit(
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

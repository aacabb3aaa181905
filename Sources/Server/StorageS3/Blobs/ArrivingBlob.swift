import HearthCrypto
import HearthFiles
import HearthStorage

/// The bytes of a blob on their way into the cache: into a file or, while the disk has no space for one, into memory. One
/// owner, one thread at a time.
final class ArrivingBlob {
    private enum Place {
        case file(IncomingFile)
        case memory(MemoryBlobWriter)
    }

    let digest: SHA256Digest
    /// The complete copy, if it is one in memory. The caller that takes it owns it.
    private(set) var copy: OpenBlob?
    private let store: ContentStore
    private let memory: MemoryBlobs
    private let cache: BlobCache
    private var place: Place?
    /// Whether the file has all the space that it may need.
    private var isSizeKnown = false
    /// By how much the file may still grow.
    private var reservedBytes: UInt64 = 0

    /// How much space a file of unknown length takes at a time.
    private static let stepBytes: UInt64 = 1 << 20

    /// - Parameter cache: what gives the file its space.
    init(_ digest: SHA256Digest, _ store: ContentStore, _ memory: MemoryBlobs, _ cache: BlobCache) {
        (self.digest, self.store, self.memory, self.cache) = (digest, store, memory, cache)
    }

    deinit { release(reservedBytes) }

    /// Chooses the place, once.
    ///
    /// - Parameter size: how many bytes come at most; nil if nobody knows.
    /// - Throws: `.noSpace` if neither the disk nor the memory has space for them.
    func begin(atMost size: UInt64?) throws(StorageError) {
        guard place == nil else { return }
        isSizeKnown = size != nil
        if reserve(size ?? Self.stepBytes), let file = try? store.begin(limitBytes: size ?? .max) {
            place = .file(file)
            // They are no longer needed.
            memory.removeUnread(until: 0)
        } else if let size {
            release(reservedBytes)
            place = .memory(try memory.begin(size))
        } else {
            throw noSpace
        }
    }

    private func reserve(_ bytes: UInt64) -> Bool {
        guard cache.reserve(bytes) else { return false }
        reservedBytes += bytes
        return true
    }

    private func release(_ bytes: UInt64) {
        cache.release(bytes)
        reservedBytes -= bytes
    }

    private var noSpace: StorageError {
        StorageError(.noSpace, "The disk has no space for a copy of the model file \(digest.hex)")
    }

    /// - Throws: `.tooLarge` if more bytes come than were announced, `.noSpace` if nobody knew how many come, and the disk has no
    ///   space for more.
    func write(_ bytes: UnsafeRawBufferPointer) throws(StorageError) {
        try begin(atMost: nil)
        switch place {
        case .file(let file):
            let count = UInt64(bytes.count)
            if !isSizeKnown, count > reservedBytes, !reserve(max(count - reservedBytes, Self.stepBytes)) {
                throw noSpace
            }
            try StorageError.wrapping { () throws(FileError) in try file.write(bytes) }
            // They are no longer free on the disk.
            release(min(count, reservedBytes))
        case .memory(let file): try file.write(bytes)
        case nil: break
        }
    }

    /// Ends the copy.
    ///
    /// - Throws: `.corrupt` if the bytes are not those of the hash. Then nothing stays of them.
    func finish() throws(StorageError) {
        try begin(atMost: nil)
        switch place.take() {
        case .file(let file):
            try StorageError.wrapping { () throws(FileError) in _ = try file.commit(expecting: digest) }
        case .memory(let file):
            let found = file.seal()
            guard found == digest else {
                throw StorageError(
                    .corrupt, "The file's SHA-256 is \(found.hex), but \(digest.hex) was announced")
            }
            copy = try memory.keep(file, as: digest)
        case nil: break
        }
    }
}

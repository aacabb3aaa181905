import HearthCrypto
import HearthFiles
import HearthStorage

/// The bytes of a blob on their way into the cache: into a file or, while the disk has no space for one, into memory. One
/// owner, one thread at a time.
final class ArrivingBlob {
    private enum Place {
        case file(IncomingFile)
        case memory(MemoryFile)
    }

    let digest: SHA256Digest
    /// The complete copy, if it is one in memory. The caller that takes it owns it.
    private(set) var copy: OpenBlob?
    private let store: ContentStore
    private let memory: MemoryBlobs
    private let reserveBytes: UInt64
    private var place: Place?

    /// - Parameter reserveBytes: what the file leaves free on the disk.
    init(_ digest: SHA256Digest, _ store: ContentStore, _ memory: MemoryBlobs, reserveBytes: UInt64) {
        (self.digest, self.store, self.memory, self.reserveBytes) = (digest, store, memory, reserveBytes)
    }

    /// Chooses the place, once.
    ///
    /// - Parameter size: how many bytes come at most; nil if nobody knows.
    /// - Throws: `.noSpace` if neither the disk nor the memory has space for them.
    func begin(atMost size: UInt64?) throws(StorageError) {
        guard place == nil else { return }
        if hasSpace(for: size ?? 0), let file = try? store.begin(limitBytes: size ?? .max) {
            place = .file(file)
            // They are no longer needed.
            memory.removeUnread(until: 0)
        } else if let size {
            place = .memory(try memory.begin(size))
        } else {
            throw StorageError(.noSpace, "The disk has no space for a copy of the model file \(digest.hex)")
        }
    }

    private func hasSpace(for size: UInt64) -> Bool {
        guard let free = try? store.freeBytes() else { return false }
        return free >= reserveBytes && free - reserveBytes >= size
    }

    /// - Throws: `.tooLarge` if more bytes come than were announced.
    func write(_ bytes: UnsafeRawBufferPointer) throws(StorageError) {
        try begin(atMost: nil)
        switch place {
        case .file(let file): try StorageError.wrapping { () throws(FileError) in try file.write(bytes) }
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

import Glibc
import HearthConcurrency
import HearthCrypto
import HearthStorage

/// Copies of blobs in memory, which are read through descriptors like files: for a disk that has no space. Use it from any
/// thread.
///
/// They have at most so many bytes together. A copy that somebody reads stays, and counts, because the kernel keeps its bytes
/// until the last descriptor is closed; one that nobody reads gives way to others. Each reader has an opening of its own, with
/// a shared lock, which ends with the last descriptor of it, whoever duplicated it. So a copy that can be locked alone has no
/// reader.
final class MemoryBlobs: Sendable {
    private struct Copy {
        let descriptor: Int32
        let size: UInt64
        /// Nil after the blob was removed: nobody opens the copy any more.
        var digest: SHA256Digest?
        /// Higher for later.
        var lastUse: UInt64
    }

    private struct State {
        var copies: [Copy] = []
        /// Of all copies, and of those that still arrive.
        var total: UInt64 = 0
        var uses: UInt64 = 0
    }

    private let limitBytes: UInt64
    private let state = Lock(State())

    init(limitBytes: UInt64) { self.limitBytes = limitBytes }

    deinit { state.withLock { for copy in $0.copies { close(copy.descriptor) } } }

    func has(_ digest: SHA256Digest) -> Bool { state.withLock { $0.copies.contains { $0.digest == digest } } }

    /// Nil if there is no copy of that blob.
    func open(_ digest: SHA256Digest) throws(StorageError) -> OpenBlob? {
        let result: Result<OpenBlob, StorageError>? = state.withLock { state in
            guard let index = state.copies.firstIndex(where: { $0.digest == digest }) else { return nil }
            state.uses += 1
            state.copies[index].lastUse = state.uses
            let copy = state.copies[index]
            return Result { () throws(StorageError) in try Self.reader(copy.descriptor, copy.size) }
        }
        return try result?.get()
    }

    /// Begins a copy of a blob with `size` bytes.
    ///
    /// - Throws: `.noSpace` if there are too many bytes in memory.
    func begin(_ size: UInt64) throws(StorageError) -> MemoryBlobWriter {
        let isTaken = state.withLock { state in
            guard size <= limitBytes else { return false }
            removeUnread(&state, until: limitBytes - size)
            guard state.total <= limitBytes - size else { return false }
            state.total += size
            return true
        }
        guard isTaken else {
            throw StorageError(
                .noSpace,
                """
                The disk has no space for a copy of a model file of \(size) bytes, and the memory for such copies is in use. Free \
                some space.
                """)
        }
        do throws(StorageError) { return try MemoryBlobWriter(size: size, in: self) } catch {
            state.withLock { $0.total -= size }
            throw error
        }
    }

    /// Takes over a complete copy, and opens it.
    func keep(_ file: MemoryBlobWriter, as digest: SHA256Digest) throws(StorageError) -> OpenBlob {
        let (descriptor, size) = (file.giveUp(), file.size)
        // Before others may remove it.
        let reader = Result { () throws(StorageError) in try Self.reader(descriptor, size) }
        state.withLock { state in
            state.uses += 1
            state.copies.append(Copy(descriptor: descriptor, size: size, digest: digest, lastUse: state.uses))
        }
        return try reader.get()
    }

    /// Nobody finds the copy any more. Open readers keep it.
    func remove(_ digest: SHA256Digest) {
        state.withLock { state in
            for index in state.copies.indices where state.copies[index].digest == digest {
                state.copies[index].digest = nil
            }
        }
        removeUnread(until: .max)
    }

    /// Removes the copies that nobody reads: the least recently used first, until no more than so many bytes are left.
    func removeUnread(until bytes: UInt64) { state.withLock { removeUnread(&$0, until: bytes) } }

    private func removeUnread(_ state: inout State, until bytes: UInt64) {
        guard state.copies.contains(where: { $0.digest == nil }) || state.total > bytes else { return }
        state.copies.sort { ($0.digest == nil ? 0 : $0.lastUse) < ($1.digest == nil ? 0 : $1.lastUse) }
        state.copies.removeAll { copy in
            guard copy.digest == nil || state.total > bytes, flock(copy.descriptor, LOCK_EX | LOCK_NB) == 0 else {
                return false
            }
            close(copy.descriptor)
            state.total -= copy.size
            return true
        }
    }

    fileprivate func release(_ size: UInt64) { state.withLock { $0.total -= size } }

    private static func reader(_ descriptor: Int32, _ size: UInt64) throws(StorageError) -> OpenBlob {
        let reader = Glibc.open("/proc/self/fd/\(descriptor)", O_RDONLY | O_CLOEXEC)
        guard reader >= 0 else {
            throw StorageError(
                errno == EMFILE || errno == ENFILE ? .tooManyOpen : .io,
                "Cannot open a copy in memory: \(String(cString: strerror(errno)))")
        }
        _ = flock(reader, LOCK_SH | LOCK_NB)
        return OpenBlob(descriptor: reader, size: size)
    }
}

/// A copy that still arrives. One owner, one thread at a time. Released without `keep`, it gives its memory back.
final class MemoryBlobWriter {
    let size: UInt64
    private var descriptor: Int32
    private var filled: UInt64 = 0
    private var hasher = SHA256Hasher()
    private let blobs: MemoryBlobs

    fileprivate init(size: UInt64, in blobs: MemoryBlobs) throws(StorageError) {
        let name = "/hearth-" + Hex.encode(SecureRandom.bytes(16))
        descriptor = shm_open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        self.size = size
        self.blobs = blobs
        guard descriptor >= 0 else { throw Self.failure(errno) }
        // It lives as long as a descriptor does.
        shm_unlink(name)
    }

    deinit {
        guard descriptor >= 0 else { return }
        close(descriptor)
        blobs.release(size)
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(StorageError) {
        guard UInt64(bytes.count) <= size - filled else {
            throw StorageError(.tooLarge, "The file is larger than \(size) bytes")
        }
        var rest = bytes
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.failure(errno) }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
        hasher.update(bytes)
        filled += UInt64(bytes.count)
    }

    /// The hash of all bytes. Nothing can be written any more.
    func seal() -> SHA256Digest { hasher.finalize() }

    fileprivate func giveUp() -> Int32 {
        defer { descriptor = -1 }
        return descriptor
    }

    private static func failure(_ number: Int32) -> StorageError {
        StorageError(
            number == EMFILE || number == ENFILE ? .tooManyOpen : .noSpace,
            "The disk has no space for a copy of a model file, and memory neither: \(String(cString: strerror(number)))"
        )
    }
}

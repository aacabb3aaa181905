import Dispatch
import Glibc
import HearthConcurrency
import HearthCrypto
import HearthFiles
import HearthStorage

/// Files named by their hash, as copies of objects: at most so many bytes, of which the least recently used ones are
/// deleted first. Use it from any thread.
///
/// A file enters with a verified hash, and is served as long as it is the same file: another length, time or inode means
/// that it is fetched again. Files from before this process started are hashed once, when they are first needed.
///
/// On a disk that gets full, the files that nobody reads give way to new ones and to uploads. While that is not enough, copies
/// are in memory. A reader has a shared lock on its file, which ends with its last descriptor, whoever duplicated it. So a file
/// that can be locked alone has no reader, and its bytes are free as soon as it is deleted.
final class BlobCache: Sendable {
    private struct Entry {
        /// Nil until the hash is verified.
        var stamp: FileStamp?
        var size: UInt64
        /// Higher for later.
        var lastUse: UInt64
    }

    private struct State {
        var entries: [SHA256Digest: Entry] = [:]
        var total: UInt64 = 0
        var uses: UInt64 = 0
        /// What files that are arriving may still take of the disk.
        var reserved: UInt64 = 0
        var fetches: [SHA256Digest: Fetch] = [:]
        /// Blobs that were fetched since the start.
        var fetchCount = 0
    }

    /// A download, or the check of an old file, for which several callers may wait.
    private final class Fetch: Sendable {
        private let group = DispatchGroup()
        private let failure = Lock<StorageError?>(nil)

        init() { group.enter() }

        func finish(_ result: Result<OpenBlob, StorageError>) {
            if case .failure(let error) = result { failure.withLock { $0 = error } }
            group.leave()
        }

        func wait() throws(StorageError) {
            group.wait()
            if let error = failure.withLock({ $0 }) { throw error }
        }
    }

    private enum Step {
        /// Another thread has fetched it meanwhile.
        case open
        case wait(Fetch)
        case fetch(Fetch, hasOldFile: Bool)
    }

    private let store: ContentStore
    private let limitBytes: UInt64
    private let reserveBytes: UInt64
    private let memory: MemoryBlobs
    private let state = Lock(State())

    /// - Parameters:
    ///   - limitBytes: of all files together. The file that was used last stays even if it is larger.
    ///   - reserveBytes: what fetched files leave free on the disk.
    ///   - memoryBytes: of all copies in memory together.
    init(
        _ store: ContentStore, limitBytes: UInt64, reserveBytes: UInt64, memoryBytes: UInt64
    ) throws(FileError) {
        self.store = store
        self.limitBytes = limitBytes
        self.reserveBytes = reserveBytes
        memory = MemoryBlobs(limitBytes: memoryBytes)
        let found = try store.digests().compactMap { digest in
            FileStamp(path: store.path(of: digest)).map { (digest, $0) }
        }
        state.withLock { state in
            for (digest, stamp) in found.sorted(by: { $0.1.modified < $1.1.modified }) {
                state.uses += 1
                state.total += stamp.size
                state.entries[digest] = Entry(stamp: nil, size: stamp.size, lastUse: state.uses)
            }
            trim(&state, keeping: nil)
        }
    }

    /// Of all files together.
    var totalBytes: UInt64 { state.withLock { $0.total } }

    /// How many blobs were downloaded since the start.
    var fetchCount: Int { state.withLock { $0.fetchCount } }

    /// Opens the copy of a blob, if there is one whose hash is verified: nil if it must be fetched or hashed first.
    func openAtHand(_ digest: SHA256Digest) throws(StorageError) -> OpenBlob? {
        let stamp = state.withLock { state -> FileStamp? in
            guard let stamp = state.entries[digest]?.stamp else { return nil }
            state.uses += 1
            state.entries[digest]?.lastUse = state.uses
            return stamp
        }
        if let stamp {
            if let blob = try open(digest, expecting: stamp) { return blob }
            state.withLock { state in
                // Another thread may have replaced the damaged file meanwhile.
                if state.entries[digest]?.stamp == stamp { delete(digest, from: &state) }
            }
        }
        return try memory.open(digest)
    }

    /// Opens the copy of a blob.
    ///
    /// - Parameter download: writes and finishes a copy of the blob, when there is no valid one. Only one caller at a time
    ///   downloads a blob; the others wait for it, and fail with it.
    func open(
        _ digest: SHA256Digest, download: (ArrivingBlob) throws(StorageError) -> Void
    ) throws(StorageError) -> OpenBlob {
        while true {
            if let blob = try openAtHand(digest) { return blob }
            switch nextStep(digest) {
            case .open: continue
            case .wait(let fetch): try fetch.wait()
            case .fetch(let fetch, let hasOldFile):
                let result: Result<OpenBlob, StorageError>
                do throws(StorageError) {
                    let isValid = hasOldFile ? try keepsValid(digest) : false
                    result = .success(try isValid ? enter(digest) : self.download(digest, download))
                } catch {
                    result = .failure(error)
                }
                state.withLock { $0.fetches[digest] = nil }
                fetch.finish(result)
                return try result.get()
            }
        }
    }

    /// Whether the file from an earlier process has the right bytes. If not, it is deleted.
    private func keepsValid(_ digest: SHA256Digest) throws(StorageError) -> Bool {
        do throws(FileError) {
            if try FileDigest.sha256(store.path(of: digest)) == digest { return true }
        } catch {
            guard error.code == .notFound else { throw StorageError(error) }
        }
        remove([digest])
        return false
    }

    private func nextStep(_ digest: SHA256Digest) -> Step {
        state.withLock { state in
            if let fetch = state.fetches[digest] { return .wait(fetch) }
            if state.entries[digest]?.stamp != nil || memory.has(digest) { return .open }
            let fetch = Fetch()
            state.fetches[digest] = fetch
            return .fetch(fetch, hasOldFile: state.entries[digest] != nil)
        }
    }

    /// Nil if the file is gone, or another one.
    private func open(_ digest: SHA256Digest, expecting stamp: FileStamp) throws(StorageError) -> OpenBlob? {
        do {
            let blob = try reader(of: digest)
            if FileStamp(descriptor: blob.descriptor) == stamp { return blob }
            close(blob.descriptor)
            return nil
        } catch {
            guard error.code == .notFound || error.code == .corrupt else { throw error }
            return nil
        }
    }

    /// The file with a reader's lock. Its writer, or a look for readers, may have locked it for a moment. This does not wait: a
    /// file that is deleted although it is read gives its bytes free when the reader is done.
    private func reader(of digest: SHA256Digest) throws(StorageError) -> OpenBlob {
        let blob = try BlobFile.open(store.path(of: digest))
        _ = flock(blob.descriptor, LOCK_SH | LOCK_NB)
        return blob
    }

    private func download(
        _ digest: SHA256Digest, _ download: (ArrivingBlob) throws(StorageError) -> Void
    ) throws(StorageError) -> OpenBlob {
        let arriving = ArrivingBlob(digest, store, memory, self)
        try download(arriving)
        state.withLock { $0.fetchCount += 1 }
        if let copy = arriving.copy { return copy }
        return try enter(digest)
    }

    /// Makes the verified file at the blob's path one of the cache, in place of an earlier one.
    private func enter(_ digest: SHA256Digest) throws(StorageError) -> OpenBlob {
        let blob = try reader(of: digest)
        state.withLock { state in
            state.uses += 1
            state.total -= state.entries[digest]?.size ?? 0
            state.total += blob.size
            state.entries[digest] = Entry(
                stamp: FileStamp(descriptor: blob.descriptor), size: blob.size, lastUse: state.uses)
            trim(&state, keeping: digest)
        }
        return blob
    }

    /// Takes over a file whose hash its writer has computed.
    ///
    /// - Parameter install: gives the file the blob's name in the folder.
    func adopt(_ digest: SHA256Digest, install: () throws(FileError) -> Void) throws(StorageError) {
        try StorageError.wrapping(install)
        close(try enter(digest).descriptor)
    }

    /// Deletes the files of these blobs. Open readers keep theirs.
    func remove(_ digests: [SHA256Digest]) {
        for digest in digests {
            state.withLock { delete(digest, from: &$0) }
            memory.remove(digest)
        }
    }

    /// While the lock is held, so that no other thread gives the name to a new file meanwhile.
    private func delete(_ digest: SHA256Digest, from state: inout State) {
        if let entry = state.entries.removeValue(forKey: digest) { state.total -= entry.size }
        // Only a copy: if it cannot be deleted, the next start finds it again.
        unlink(store.path(of: digest))
    }

    private func trim(_ state: inout State, keeping kept: SHA256Digest?) {
        guard state.total > limitBytes else { return }
        for (digest, _) in leastRecent(state) where digest != kept && state.total > limitBytes {
            delete(digest, from: &state)
        }
    }

    /// The files that may be deleted, the least recently used first. One that is being hashed is about to be opened.
    private func leastRecent(_ state: State) -> [(key: SHA256Digest, value: Entry)] {
        state.entries.filter { state.fetches[$0.key] == nil }.sorted { $0.value.lastUse < $1.value.lastUse }
    }
}

/// Space on the disk.
extension BlobCache {
    /// Sets space aside for a file that is arriving. Others give way to it.
    ///
    /// - Returns: false if there is not so much, besides the disk reserve.
    func reserve(_ bytes: UInt64) -> Bool {
        state.withLock { state in
            guard makeSpace(Self.sum(reserveBytes, bytes), &state) else { return false }
            state.reserved += bytes
            return true
        }
    }

    /// These bytes have been written, or will not come.
    func release(_ bytes: UInt64) { state.withLock { $0.reserved -= bytes } }

    /// Deletes files so that so many bytes are free, if that achieves it.
    func makeSpace(_ wanted: UInt64) { state.withLock { _ = makeSpace(wanted, &$0) } }

    /// Deletes the least recently used files that nobody reads, until so many bytes are free besides those that were set aside.
    ///
    /// - Returns: false if that is not enough. Then it deletes none.
    private func makeSpace(_ wanted: UInt64, _ state: inout State) -> Bool {
        let wanted = Self.sum(wanted, state.reserved)
        guard let free = try? store.freeBytes() else { return false }
        guard free < wanted else { return true }
        let shortage = wanted - free
        guard shortage <= state.total else { return false }
        var chosen: [SHA256Digest] = []
        var size: UInt64 = 0
        for (digest, entry) in leastRecent(state) where size < shortage {
            guard !FileLease.isInUse(store.path(of: digest)) else { continue }
            chosen.append(digest)
            size += entry.size
        }
        guard size >= shortage else { return false }
        for digest in chosen {
            // A disk that cannot be written keeps its files, and so does the cache.
            guard unlink(store.path(of: digest)) == 0 || errno == ENOENT else { return false }
            delete(digest, from: &state)
        }
        // Other programs use the disk too.
        return (try? store.freeBytes()).map { $0 >= wanted } ?? false
    }

    private static func sum(_ one: UInt64, _ other: UInt64) -> UInt64 {
        let (sum, isTooMuch) = one.addingReportingOverflow(other)
        return isTooMuch ? .max : sum
    }
}

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
/// that it is fetched again. Files from before this process started are hashed once, when they are first needed. While the
/// disk has no space for another file, copies are in memory.
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
        case open(FileStamp)
        case openCopy
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

    /// Whether there is a copy whose hash is verified.
    func has(_ digest: SHA256Digest) -> Bool {
        state.withLock { $0.entries[digest]?.stamp != nil } || memory.has(digest)
    }

    /// Opens the copy of a blob.
    ///
    /// - Parameter download: writes and finishes a copy of the blob, when there is no valid one. Only one caller at a time
    ///   downloads a blob; the others wait for it, and fail with it.
    func open(
        _ digest: SHA256Digest, download: (ArrivingBlob) throws(StorageError) -> Void
    ) throws(StorageError) -> OpenBlob {
        while true {
            switch nextStep(digest) {
            case .wait(let fetch): try fetch.wait()
            case .open(let stamp):
                if let blob = try open(digest, expecting: stamp) { return blob }
                state.withLock { state in
                    // Another thread may have replaced the damaged file meanwhile.
                    if state.entries[digest]?.stamp == stamp { delete(digest, from: &state) }
                }
            case .openCopy:
                // Nil if it gave way to another one meanwhile.
                if let copy = try memory.open(digest) { return copy }
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
            if let stamp = state.entries[digest]?.stamp {
                state.uses += 1
                state.entries[digest]?.lastUse = state.uses
                return .open(stamp)
            }
            if memory.has(digest) { return .openCopy }
            let fetch = Fetch()
            state.fetches[digest] = fetch
            return .fetch(fetch, hasOldFile: state.entries[digest] != nil)
        }
    }

    /// Nil if the file is gone, or another one.
    private func open(_ digest: SHA256Digest, expecting stamp: FileStamp) throws(StorageError) -> OpenBlob? {
        do {
            let blob = try BlobFile.open(store.path(of: digest))
            if FileStamp(descriptor: blob.descriptor) == stamp { return blob }
            close(blob.descriptor)
            return nil
        } catch {
            guard error.code == .notFound || error.code == .corrupt else { throw error }
            return nil
        }
    }

    private func download(
        _ digest: SHA256Digest, _ download: (ArrivingBlob) throws(StorageError) -> Void
    ) throws(StorageError) -> OpenBlob {
        let arriving = ArrivingBlob(digest, store, memory, reserveBytes: reserveBytes)
        try download(arriving)
        state.withLock { $0.fetchCount += 1 }
        if let copy = arriving.copy { return copy }
        return try enter(digest)
    }

    /// Makes the verified file at the blob's path one of the cache, in place of an earlier one.
    private func enter(_ digest: SHA256Digest) throws(StorageError) -> OpenBlob {
        let blob = try BlobFile.open(store.path(of: digest))
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
        for (digest, _) in state.entries.sorted(by: { $0.value.lastUse < $1.value.lastUse })
        where digest != kept && state.total > limitBytes {
            delete(digest, from: &state)
        }
    }
}

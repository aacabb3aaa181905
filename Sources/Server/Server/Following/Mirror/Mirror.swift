import Foundation
import HearthCalls
import HearthCatalog
import HearthConcurrency
import HearthCrypto
import HearthIdentity
import HearthManagement
import HearthStorage
import HearthWire

/// Keeps the records and files of a follower equal to those of its main server. Its methods block; two threads call them.
/// `InstallationExchange` does the same for installations.
final class Mirror: Sendable {
    private struct Work {
        var follow: FollowState
        /// The last state of this process that could be used, and its tag.
        var latest: MirrorBodies.State?
        var etag: String?
        /// The records as written last.
        var applied: MirrorRecords?
        /// The hashes of the files that are here.
        var present: Set<String>
        /// The files to get, and to keep.
        var missing: [String: UInt64] = [:]
        var kept: Set<String> = []
        /// The hash of the file that is on its way.
        var fetching: String?
        /// The files that were wanted when the remains of other transfers were removed last.
        var wantedBefore: Set<String>?
        /// When a file was needed last, by its hash.
        var unneededSince: [String: ContinuousClock.Instant] = [:]
        var secret: ServerSecret?
        /// How many installations the main server had when it answered last.
        var installationCount: Int?
        /// When the main server answered last; 0 if not since the start.
        var contactMicroseconds: Int64 = 0
    }

    private let main: MainServer
    private let metadata: any MetadataStore
    private let blobs: any BlobStore
    private let layout: DataLayout
    private let options: FollowOptions
    private let status: MirrorStatus
    private let work: Lock<Work>
    private let log: @Sendable (String) -> Void

    init(
        _ main: MainServer, _ data: (metadata: any MetadataStore, blobs: any BlobStore), _ layout: DataLayout,
        _ follow: FollowState, _ options: FollowOptions, _ status: MirrorStatus,
        log: @escaping @Sendable (String) -> Void
    ) throws {
        self.main = main
        (metadata, blobs) = data
        self.layout = layout
        self.options = options
        self.status = status
        self.log = log
        work = Lock(Work(follow: follow, present: Set(try data.blobs.digests().map(\.hex))))
    }

    /// Also signs with the main server's keys from now on.
    func use(_ secret: ServerSecret) { work.withLock { $0.secret = secret } }

    /// Whether there is a state to serve.
    var hasState: Bool { work.withLock { !$0.follow.server.isEmpty } }

    /// How many installations the main server has, as it said last; nil if it has not answered since the start.
    var installationCount: Int? { work.withLock { $0.installationCount } }

    /// Asks the main server for its state, and uses it if it is new.
    func poll() throws {
        let answer: MainServer.Answer
        do throws(MirrorProblem) {
            answer = try main.state(etag: work.withLock { $0.etag })
        } catch {
            // Only here: a file or a list that fails says nothing about other calls.
            if error.kind == .unreachable || error.kind == .refused { status.lost() }
            throw error
        }
        status.reached()
        try work.withLock { work in
            let now = Timestamp.now.microseconds
            if let state = answer.state {
                try accept(state, &work)
                work.etag = answer.etag
                log("The state \(state.revision) of \(main.url) is in use.")
            }
            // Not before: the copy becomes no younger by an answer that cannot be used, and installations need their projects.
            work.contactMicroseconds = now
            work.installationCount = answer.installationCount
            status.confirmed()
            // Not each time: it waits for the disk.
            if answer.state != nil || abs(now - work.follow.contactMicroseconds) >= Self.contactMicroseconds {
                try save(&work)
            }
            status.succeeded(revision: work.follow.revision)
        }
        work.withLock { work in
            removeUnneeded(&work)
            removeAbandoned(&work)
        }
    }

    /// How old the stored time of the last answer may be.
    private static let contactMicroseconds: Int64 = 60_000_000

    private func save(_ work: inout Work) throws {
        if work.contactMicroseconds > 0 { work.follow.contactMicroseconds = work.contactMicroseconds }
        try work.follow.write(layout)
    }

    /// Stores when the main server answered last.
    func saveContact() { work.withLock { try? save(&$0) } }

    private func accept(_ state: MirrorBodies.State, _ work: inout Work) throws {
        let check = MirrorStateCheck(main: main.url, nowMicroseconds: Timestamp.now.microseconds)
        try check.check(state, after: work.follow, acceptsRestored: options.acceptsRestored)
        let secret = MirroredSecret(keys: state.keys, signs: true)
        try apply(state, &work)
        // After the records, so that the keys of a refused state are not used either.
        try secret.write(to: layout.mirroredKeys)
        work.secret?.use(secret)
        work.latest = state
        work.follow.main = main.url
        work.follow.server = state.server
        work.follow.revision = state.revision
    }

    /// Writes what can be used of the state, in one transaction.
    private func apply(_ state: MirrorBodies.State, _ work: inout Work) throws {
        let selection = MirrorSelection(state, present: work.present)
        if selection.records != work.applied {
            do {
                try write(selection.records, anew: false)
            } catch let error as StorageError where error.code == .conflict {
                // Two rows may have exchanged a unique value, such as the names of models.
                try write(selection.records, anew: true)
            }
            work.applied = selection.records
        }
        let wanted = options.keepsAllVersions ? selection.all : selection.needed
        work.kept = Set(wanted.keys).union(selection.needed.keys).union(selection.previous)
        work.missing = wanted.filter { !work.present.contains($0.key) }
        status.setMissing(files: work.missing.count, bytes: work.missing.values.reduce(0, &+))
    }

    private func write(_ records: MirrorRecords, anew: Bool) throws {
        do {
            try metadata.write { store in
                try store.replaceMirrored(records, anew: anew)
                try MirrorCheck.check(store)
            }
        } catch let error as StorageError where error.code == .conflict && !anew {
            throw error
        } catch let error as StorageError where [.noSpace, .unavailable, .io, .tooManyOpen].contains(error.code) {
            throw MirrorProblem(.storage, "The state cannot be stored here: \(error)")
        } catch {
            throw MirrorProblem(.malformed, "The state of \(main.url) is not used: \(error)")
        }
    }
}

/// Files.
extension Mirror {
    /// A file that is not here: the smallest first, so that most models are complete soon.
    func nextMissing(except delayed: Set<String>) -> (digest: SHA256Digest, size: UInt64)? {
        let next = work.withLock { work in
            work.missing.filter { !delayed.contains($0.key) }.min { ($0.value, $0.key) < ($1.value, $1.key) }
        }
        guard let next, let digest = SHA256Digest(hex: next.key) else { return nil }
        return (digest, next.value)
    }

    /// Gets a file, from where an earlier try ended. It is visible only when all its bytes are right.
    func fetch(_ digest: SHA256Digest, size: UInt64) throws {
        let id = Self.uploadID(digest)
        let reserve = options.diskReserveBytes
        guard let free = try? blobs.freeBytes(), free > size, free - size > reserve else {
            throw MirrorProblem(.storage, "The disk has no space for the file \(digest.hex) of \(size) bytes")
        }
        let known = work.withLock { work in
            work.fetching = digest.hex
            return work.follow.partial[digest.hex] ?? 0
        }
        defer { work.withLock { $0.fetching = nil } }
        guard let file = try resume(id, from: known, size: size) else { return }
        do {
            var durable = file.size
            if file.size < size {
                try main.file(digest, from: file.size, size: size) { bytes in
                    try file.write(bytes)
                    guard file.size - durable >= Self.stepBytes else { return }
                    try file.synchronize()
                    durable = file.size
                    try self.note(durable, of: digest)
                }
            }
            guard file.size == size else {
                // What is here may be right; the next try asks for the rest.
                throw MirrorProblem(
                    .malformed, "\(main.url) sent \(file.size) of \(size) bytes of the file \(digest.hex)")
            }
        } catch let error where (error as? MirrorProblem)?.kind != .wrongBytes {
            // The next try continues here.
            if file.size > known, (try? file.synchronize()) != nil { try note(file.size, of: digest) }
            throw error
        } catch {
            try discard(id, digest)
            throw error
        }
        guard try file.seal().sha256 == digest else {
            try discard(id, digest)
            throw MirrorProblem(
                .wrongBytes,
                "\(main.url) sent bytes that are not those of the file \(digest.hex). They were thrown away.")
        }
        try file.commit()
        try work.withLock { work in
            work.follow.partial[digest.hex] = nil
            work.present.insert(digest.hex)
            try work.follow.write(layout)
            if let state = work.latest { try apply(state, &work) }
        }
        log("The file \(digest.hex) of \(size) bytes is here.")
    }

    private func resume(_ id: String, from known: UInt64, size: UInt64) throws -> (any ResumedBlob)? {
        if known > 0, known <= size {
            do {
                return try blobs.resume(id, from: known, limitBytes: size)
            } catch {
                // The folder may have lost it.
                guard error.code == .notFound else { throw error }
            }
        }
        try blobs.removeResumable(id)
        return try blobs.resume(id, from: 0, limitBytes: size)
    }

    private func note(_ bytes: UInt64, of digest: SHA256Digest) throws {
        try work.withLock { work in
            work.follow.partial[digest.hex] = bytes
            try work.follow.write(layout)
        }
    }

    private func discard(_ id: String, _ digest: SHA256Digest) throws {
        try? blobs.removeResumable(id)
        try work.withLock { work in
            work.follow.partial[digest.hex] = nil
            try work.follow.write(layout)
        }
    }

    private static func uploadID(_ digest: SHA256Digest) -> String { uploadPrefix + digest.hex }

    private static let uploadPrefix = "mirror-"

    /// After so many bytes they are made durable.
    private static let stepBytes: UInt64 = 8 << 20

    /// Removes what is left of transfers of files that are not needed any more. A follower has no other unfinished uploads.
    private func removeAbandoned(_ work: inout Work) {
        guard work.latest != nil else { return }
        let wanted = Set(work.missing.keys).union([work.fetching].compactMap { $0 })
        // A list of all files, every few seconds, would find nothing else.
        guard wanted != work.wantedBefore else { return }
        do {
            for id in try blobs.resumable() where !wanted.contains(String(id.dropFirst(Self.uploadPrefix.count))) {
                try blobs.removeResumable(id)
            }
            let known = work.follow.partial
            work.follow.partial = known.filter { wanted.contains($0.key) }
            if work.follow.partial != known { try work.follow.write(layout) }
            work.wantedBefore = wanted
        } catch {
            log("What is left of transfers cannot be removed: \(error)")
        }
    }

    /// Removes files that were not needed for a while. Devices may still have links to them until then.
    private func removeUnneeded(_ work: inout Work) {
        guard work.latest != nil else { return }
        let now = ContinuousClock.now
        let unneeded = work.present.subtracting(work.kept)
        work.unneededSince = work.unneededSince.filter { unneeded.contains($0.key) }
        for hash in unneeded where work.unneededSince[hash] == nil { work.unneededSince[hash] = now }
        let old = work.unneededSince.filter { now - $0.value >= options.unneededFor }.map(\.key)
        guard !old.isEmpty else { return }
        do {
            try blobs.remove(old.compactMap { SHA256Digest(hex: $0) })
            work.present.subtract(old)
            for hash in old { work.unneededSince[hash] = nil }
            log("Removed \(old.count) files that no release needs any more.")
        } catch {
            log("Files that no release needs cannot be removed: \(error)")
        }
    }
}

import HearthConcurrency
package import HearthCrypto
package import HearthFiles
package import HearthStorage
import HearthTransport

/// `BlobStore` over a bucket of an S3-compatible store. Several servers may share one bucket and prefix.
///
/// Incoming bytes are a local file until `commit`, which stores them as an object; the file then becomes one of the local
/// cache, from which blobs are read. Keys below the prefix: `blobs/<hash>`, `trash/<seconds>-<hash>`, and
/// `uploads/<id>/<segment>` for uploads that may continue at another server. The store must show an object in lists as soon
/// as it is stored, as Amazon's does.
package final class S3BlobStore: BlobStore {
    /// A blob and when it was last written.
    package struct BlobAge: Sendable, Hashable {
        package let digest: SHA256Digest
        package let size: UInt64
        /// Since 1970, by the store's clock. An upload of bytes that were there already counts as well, at the latest an
        /// hour after the time that is here.
        package let modifiedSeconds: Int64
    }

    /// Another server may be about to record a blob that was written less than this ago. Code that removes what no record
    /// names must leave such blobs alone.
    package static let youngSeconds: Int64 = 86_400
    /// A blob that is uploaded again is written again, if its last time is longer ago than this.
    static let rewriteSeconds: Int64 = 3_600
    /// A larger file is stored in parts.
    static let singlePutBytes: UInt64 = 64 << 20

    let client: S3Client
    let files: ContentStore
    let cache: BlobCache
    /// Up to which byte the local file of an upload agrees with its segments. An entry for each upload that continued here.
    let agreed = Lock<[String: UInt64]>([:])
    /// What must hold before the store is used.
    private let condition = Lock(Condition())

    private struct Condition {
        var check: (@Sendable () throws -> Void)?
        /// Why it did not hold.
        var refusal: String?
        var pause = Duration.zero
        /// Not before.
        var checkedAgainAt: ContinuousClock.Instant?
    }

    /// Opens or makes the local folder, and deletes what interrupted uploads left in it. Does not call the store.
    ///
    /// - Parameters:
    ///   - folder: in which a folder for incoming files and the cache is made; of this server alone.
    ///   - cacheBytes: how many bytes of blobs to keep there. Incoming files come on top of it.
    package init(
        client: S3Client, folder: String, cacheBytes: UInt64, files: any FileOperations = DiskFiles()
    ) throws(StorageError) {
        self.client = client
        (self.files, cache) = try StorageError.wrapping { () throws(FileError) in
            let store = try ContentStore(folder: FilePath.join(folder, DataLayout.cacheName), files: files)
            try store.sweepAbandoned()
            return (store, try BlobCache(store, limitBytes: cacheBytes))
        }
    }

    package func begin(limitBytes: UInt64) throws(StorageError) -> any IncomingBlob {
        // Before bytes arrive that could not be stored.
        try client.contact.check(client.configuration)
        return IncomingS3Blob(
            try StorageError.wrapping { () throws(FileError) in try files.begin(limitBytes: limitBytes) }, store: self)
    }

    package func size(of digest: SHA256Digest) throws(StorageError) -> UInt64? {
        try client.head(Self.name(digest))?.size
    }

    package func digests() throws(StorageError) -> [SHA256Digest] { try blobAges().map(\.digest) }

    package func settledDigests() throws(StorageError) -> [SHA256Digest] {
        let oldest = client.now() - Self.youngSeconds
        return try blobAges().filter { $0.modifiedSeconds < oldest }.map(\.digest)
    }

    /// All visible blobs with their ages, in any order.
    package func blobAges() throws(StorageError) -> [BlobAge] {
        try client.list(Self.blobFolder).compactMap { object in
            SHA256Digest(hex: String(object.name.dropFirst(Self.blobFolder.count))).map {
                BlobAge(digest: $0, size: object.size, modifiedSeconds: object.modifiedSeconds)
            }
        }
    }

    package func open(_ digest: SHA256Digest) throws(StorageError) -> OpenBlob {
        try cache.open(digest) { file throws(StorageError) in
            do throws(StorageError) {
                try client.get(Self.name(digest), isUrgent: true) { bytes in
                    try StorageError.wrapping { () throws(FileError) in try file.write(bytes) }
                }
            } catch {
                guard error.code == .notFound else { throw error }
                throw StorageError(.notFound, "There is no stored file \(digest.hex)")
            }
        }
    }

    package var remoteStoreUse: RemoteStoreUse? {
        let counters = client.counters
        return RemoteStoreUse(
            requests: counters.requests, retries: counters.retries, failures: counters.failures,
            fetches: cache.fetchCount, cacheBytes: cache.totalBytes)
    }

    package func isAtHand(_ digest: SHA256Digest) -> Bool { cache.has(digest) }

    package var knowsSizesAtOnce: Bool { false }

    package var isAnswering: Bool { client.contact.isAnswering }

    package var outage: String? { isAnswering ? nil : client.contact.failure.withLock { $0 } }

    package var refusal: String? { condition.withLock { $0.refusal } }

    /// Uses the store only after `check` has returned once, which is tried with each probe. Call it before other threads use
    /// the store.
    ///
    /// - Parameters:
    ///   - pause: before it is tried again after a refusal, because an operator has to act first.
    ///   - check: must call the store through another client.
    package func require(pausing pause: Duration = .seconds(60), _ check: @escaping @Sendable () throws -> Void) {
        condition.withLock { condition in
            condition.check = check
            condition.pause = pause
        }
        client.contact.isAnswering = false
    }

    package func probe() {
        // To find out what belongs together may take as many requests as there are objects.
        if let again = condition.withLock({ $0.checkedAgainAt }), .now < again { return }
        guard client.answersProbe(DataLayout.folderIDName) else { return client.contact.isAnswering = false }
        if let check = condition.withLock({ $0.check }) {
            do {
                try check()
                condition.withLock { $0 = Condition() }
            } catch {
                let failure = error as? StorageError
                // A certificate that nobody trusts does not become right by waiting.
                let isOutage = failure?.code == .unavailable && (failure?.cause as? TransportError)?.code != .tls
                condition.withLock { condition in
                    condition.refusal = isOutage ? nil : "\(error)"
                    condition.checkedAgainAt = isOutage ? nil : .now + condition.pause
                }
                client.contact.failure.withLock { $0 = "\(error)" }
                return client.contact.isAnswering = false
            }
        }
        client.contact.isAnswering = true
    }

    package func downloadURL(_ digest: SHA256Digest, seconds: Int) throws(StorageError) -> String? {
        // Not to files that belong to other records.
        guard refusal == nil else { return nil }
        return try presignedURL(digest, seconds: seconds)
    }

    /// Of the disk with incoming files. The store does not say how much it takes.
    package func freeBytes() throws(StorageError) -> UInt64 {
        try StorageError.wrapping { () throws(FileError) in try files.freeBytes() }
    }

    package func remove(_ digests: [SHA256Digest]) throws(StorageError) {
        try Parallel.forEach(digests) { digest throws(StorageError) in
            try self.client.delete(Self.name(digest))
            self.cache.remove([digest])
        }
    }

    /// A link with which anybody may download the blob for a while, past this server. Does not check that it exists.
    ///
    /// - Parameter seconds: 1 to 604,800, a week.
    package func presignedURL(_ digest: SHA256Digest, seconds: Int) throws(StorageError) -> String {
        try client.presignedURL(Self.name(digest), seconds: seconds)
    }

    /// Aborts uploads in parts that servers left when they died, after a day. Each upload in parts does it too.
    @discardableResult
    package func abortAbandonedParts() throws(StorageError) -> Int { try client.abortAbandonedParts() }

    /// Writes, lists, reads and deletes a small object. Throws what an operator has to know.
    package func check() throws(StorageError) {
        let bytes = SecureRandom.bytes(16)
        let name = "check/\(Hex.encode(bytes))"
        try client.put(name, .bytes(bytes))
        _ = try client.list("check/")
        var found: [UInt8] = []
        try client.get(name) { found += $0 }
        try client.delete(name)
        guard found == bytes else {
            throw StorageError(
                .corrupt, "The model store (\(client.configuration.place)) returned other bytes than it got.")
        }
    }

    /// The id of the data that the files belong to; nil if no server has recorded one.
    package func folderID() throws(StorageError) -> String? {
        try S3Objects(client).folderID()
    }

    package func record(folderID: String) throws(StorageError) {
        try S3Objects(client).record(folderID: folderID)
    }

    static let blobFolder = "blobs/"

    static func name(_ digest: SHA256Digest) -> String { blobFolder + digest.hex }
}

/// Making the bytes of a sealed file visible.
extension S3BlobStore {
    /// Stores the file as a blob. What is there already is not sent again, but written again, so that it is young.
    func publish(_ path: String, as digest: SHA256Digest, size: UInt64) throws(StorageError) {
        let name = Self.name(digest)
        if let present = try client.head(name), present.size == size {
            if present.modifiedSeconds > client.now() - Self.rewriteSeconds { return }
            do { return try client.copy(name, to: name, size: size) } catch {
                // Removed meanwhile.
                guard error.code == .notFound else { throw error }
            }
        }
        try S3Objects(client).put(path, as: digest, size: size)
        guard size > Self.singlePutBytes else { return }
        // Nobody else needs to look for them: only a server that stores large files leaves such remains.
        _ = try? abortAbandonedParts()
    }
}

/// An upload in one request.
private final class IncomingS3Blob: IncomingBlob {
    private let file: IncomingFile
    private let store: S3BlobStore
    private var checksum = CRC32C()

    init(_ file: IncomingFile, store: S3BlobStore) { (self.file, self.store) = (file, store) }

    var size: UInt64 { file.size }

    func write(_ bytes: UnsafeRawBufferPointer) throws(StorageError) {
        try StorageError.wrapping { () throws(FileError) in try file.write(bytes) }
        checksum.update(bytes)
    }

    func seal() throws(StorageError) -> BlobChecksums {
        BlobChecksums(
            sha256: try StorageError.wrapping { () throws(FileError) in try file.seal() }, crc32c: checksum)
    }

    func openForInspection() throws(StorageError) -> Int32 { try BlobFile.descriptor(of: file.path) }

    func prepareCommit() throws(StorageError) { try store.publish(file.path, as: seal().sha256, size: size) }

    func commit() throws(StorageError) {
        let digest = try seal().sha256
        try store.publish(file.path, as: digest, size: size)
        // The blob is stored. Without its local copy, its first reader fetches it.
        try? store.cache.adopt(digest) { () throws(FileError) in _ = try file.commit() }
    }
}

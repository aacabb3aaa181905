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
    private let wrong = WrongObjects()
    private let recordedSize: @Sendable (SHA256Digest) -> UInt64?
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
    ///   - diskReserveBytes: how many bytes fetched blobs leave free on the disk. Earlier ones give way for that, and where it is
    ///     not enough, copies are in memory.
    ///   - memoryBytes: how many bytes such copies have together.
    ///   - recordedSize: how long a blob is by the records; nil if nobody knows.
    package init(
        client: S3Client, folder: String, cacheBytes: UInt64, diskReserveBytes: UInt64 = 0,
        memoryBytes: UInt64 = 64 << 20, files: any FileOperations = DiskFiles(),
        recordedSize: @escaping @Sendable (SHA256Digest) -> UInt64? = { _ in nil }
    ) throws(StorageError) {
        self.client = client
        self.recordedSize = recordedSize
        (self.files, cache) = try StorageError.wrapping { () throws(FileError) in
            let store = try ContentStore(folder: FilePath.join(folder, DataLayout.cacheName), files: files)
            try store.sweepAbandoned()
            let cache = try BlobCache(
                store, limitBytes: cacheBytes, reserveBytes: diskReserveBytes, memoryBytes: memoryBytes)
            return (store, cache)
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
        try cache.open(digest) { arriving throws(StorageError) in
            do throws(StorageError) { try fetch(arriving) } catch {
                guard error.code == .notFound else { throw error }
                throw StorageError(.notFound, "There is no stored file \(digest.hex)")
            }
        }
    }

    /// Whoever may write to the bucket decides what an object has, so no more bytes are taken than the record says.
    private func fetch(_ blob: ArrivingBlob) throws(StorageError) {
        let (digest, name) = (blob.digest, Self.name(blob.digest))
        if let tag = wrong.tag(of: digest, nowSeconds: client.now()),
            try client.head(name, isUrgent: true)?.tag == tag
        {
            throw isWrong(digest, "it is the one that was wrong a moment ago")
        }
        let recorded = recordedSize(digest)
        var tag: String?
        do throws(StorageError) {
            try client.get(
                name, isUrgent: true,
                onHead: { headers in
                    tag = S3Object.tag(headers["etag"])
                    let size = headers["content-length"].flatMap { UInt64($0) }
                    if let recorded, let size, size != recorded {
                        throw StorageError(.corrupt, "it has \(size) bytes, not \(recorded)")
                    }
                    try blob.begin(atMost: recorded ?? size)
                },
                receive: { try blob.write($0) })
            try blob.finish()
        } catch {
            guard error.code == .corrupt || error.code == .tooLarge else { throw error }
            wrong.note(digest, tag: tag, nowSeconds: client.now())
            throw isWrong(digest, error.message)
        }
    }

    private func isWrong(_ digest: SHA256Digest, _ text: String) -> StorageError {
        StorageError(
            .corrupt,
            """
            The object blobs/\(digest.hex) in the model store (\(client.configuration.place)) does not have the bytes of its name: \
            \(text). Push the file again, which replaces it (hearth models push NAME FILE --again).
            """)
    }

    package var remoteStoreUse: RemoteStoreUse? {
        let counters = client.counters
        return RemoteStoreUse(
            requests: counters.requests, retries: counters.retries, failures: counters.failures,
            fetches: cache.fetchCount, cacheBytes: cache.totalBytes)
    }

    package func openAtHand(_ digest: SHA256Digest) throws(StorageError) -> OpenBlob? {
        try cache.openAtHand(digest)
    }

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

    package func freeBytes(wanted: UInt64) throws(StorageError) -> UInt64 {
        cache.makeSpace(wanted)
        return try freeBytes()
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

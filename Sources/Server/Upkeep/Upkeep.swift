import HearthCatalog
import HearthCrypto
import HearthFiles
public import HearthStorage
public import HearthWire

/// Removes what nobody needs any more: records first, then the bytes that no record names.
///
/// Running uploads lose nothing: their bytes are in quarantine until a record names them, and the gate keeps the moment in
/// between apart. While a backup runs nothing is removed. One thread at a time.
public struct Upkeep: Sendable {
    /// What one round removed.
    public struct Result: Sendable, Hashable {
        public var uploads = 0
        public var sessions = 0
        public var validations = 0
        /// Daily counts of events, and how far devices' journals were counted that were given up.
        public var events = 0
        public var blobs = 0
        /// Bytes of resumable uploads without a record.
        public var strays = 0

        public init() {}
    }

    private static let dayMicroseconds: Int64 = 86_400_000_000
    /// What people look at to see whether events arrive.
    private static let eventDays: Int64 = 60
    /// A device that was away for longer than a year may have what it sent last counted twice.
    private static let journalDays: Int64 = 400

    private let metadata: any MetadataStore
    private let blobs: any BlobStore
    private let gate: BlobGate
    private let limits: UpkeepRules.Limits
    private let backupLock: String?
    private let now: @Sendable () -> Timestamp

    /// - Parameters:
    ///   - gate: of the blob store; the validation queue has it.
    ///   - backupLock: path of the lock file that a backup holds; nil where there are no backups.
    public init(
        metadata: any MetadataStore, blobs: any BlobStore, gate: BlobGate, limits: UpkeepRules.Limits,
        backupLock: String?, now: @escaping @Sendable () -> Timestamp
    ) {
        self.metadata = metadata
        self.blobs = blobs
        self.gate = gate
        self.limits = limits
        self.backupLock = backupLock
        self.now = now
    }

    /// One round. Nil when a backup runs, which must find everything that the database names.
    public func run() throws -> Result? {
        var lock: FileLock?
        if let backupLock {
            lock = try FileLock.tryAcquire(backupLock)
            guard lock != nil else { return nil }
        }
        defer { withExtendedLifetime(lock) {} }
        var result = Result()
        try removeRecords(&result)
        try removeStrays(&result)
        try removeBlobs(&result)
        return result
    }

    /// In small transactions, because publishers wait while one runs: what is to go is looked for in a reading one, and
    /// looked at again before it goes.
    private func removeRecords(_ result: inout Result) throws {
        let moment = now().microseconds
        result.uploads = try removeUploads(atMicroseconds: moment)
        let sessions = try metadata.read { store in
            UpkeepRules.expired(try store.uploadSessions(), limits: limits, nowMicroseconds: moment)
        }
        result.events = try metadata.write { store in
            try store.deleteEvents(
                beforeDay: moment / Self.dayMicroseconds - Self.eventDays,
                untouchedSinceMicroseconds: moment - Self.journalDays * Self.dayMicroseconds)
        }
        result.sessions = try inBatches(sessions) { session, store in
            guard try store.uploadSession(id: session.id) == session else { return false }
            try store.delete(session)
            return true
        }
        let validations = try metadata.read {
            UpkeepRules.unreferenced(try $0.validations(), referenced: try $0.referencedHashes())
        }
        result.validations = try inBatches(validations) { validation, store in
            guard try !store.isReferenced(sha256: validation.sha256),
                let known = try store.validation(sha256: validation.sha256)
            else { return false }
            try store.delete(known)
            return true
        }
    }

    private func removeUploads(atMicroseconds moment: Int64) throws -> Int {
        let unused = try metadata.read { store in
            try store.projects().flatMap { project in
                let old = UpkeepRules.old(
                    try store.objects(project: project.id), limits: limits, nowMicroseconds: moment)
                return try old.filter { try !store.hasVersion(of: $0) }
            }
        }
        return try inBatches(unused) { object, store in
            let known = try store.object(bucket: object.bucket, name: object.name, project: object.projectID)
            guard known == object, try !store.hasVersion(of: object) else { return false }
            try store.delete(object)
            try store.append(Self.entry(object, atMicroseconds: moment))
            return true
        }
    }

    /// How much is removed before others get their turn.
    static let batchCount = 64

    /// - Parameter remove: false where the item is to stay after all.
    /// - Returns: how many were removed.
    private func inBatches<Item>(
        _ items: [Item], _ remove: (Item, any MetadataWriter) throws -> Bool
    ) throws -> Int {
        try batches(items).reduce(0) { count, batch in
            count + (try metadata.write { store in try batch.count { try remove($0, store) } })
        }
    }

    private func batches<Item>(_ items: [Item]) -> [ArraySlice<Item>] {
        stride(from: 0, to: items.count, by: Self.batchCount).map { items[$0..<min($0 + Self.batchCount, items.count)] }
    }

    /// Parts of resumable uploads whose record is gone. The records come before the bytes, so none is about to appear.
    private func removeStrays(_ result: inout Result) throws {
        let found = try blobs.resumable()
        let known = try metadata.read { Set(try $0.uploadSessions().map(\.id)) }
        for id in found where !known.contains(id) {
            try blobs.removeResumable(id)
            result.strays += 1
        }
    }

    private func removeBlobs(_ result: inout Result) throws {
        let needed = try metadata.read { store in
            UpkeepRules.needed(
                referenced: try store.referencedHashes(), validations: try store.validations(),
                served: try Self.served(store))
        }
        for batch in batches(try blobs.digests().filter({ !needed.contains($0.hex) })) {
            result.blobs += try gate.pass { () throws -> Int in try removeUnneeded(batch) }
        }
    }

    /// Inside the gate: what nobody needed a moment ago may have arrived anew.
    private func removeUnneeded(_ digests: ArraySlice<SHA256Digest>) throws -> Int {
        let needed = try metadata.read { store in
            let hashes = digests.map(\.hex)
            return UpkeepRules.needed(
                referenced: Set(try hashes.filter { try store.isReferenced(sha256: $0) }),
                validations: try hashes.compactMap { try store.validation(sha256: $0) },
                served: try Self.served(store))
        }
        let unneeded = digests.filter { !needed.contains($0.hex) }
        try blobs.remove(unneeded)
        return unneeded.count
    }

    private static func served(_ store: any MetadataReader) throws -> Set<String> {
        Set(try store.servedReleases().map(\.sha256))
    }

    private static func entry(_ object: UploadedObject, atMicroseconds: Int64) -> AuditEntry {
        AuditEntry(
            projectID: object.projectID, actor: "hearth", action: "file.expire", subject: object.uri,
            detail: "\(object.sizeBytes) bytes \(object.sha256); no version was made from it",
            atMicroseconds: atMicroseconds)
    }
}

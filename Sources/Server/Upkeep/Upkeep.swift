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
        public var blobs = 0
        /// Bytes of resumable uploads without a record.
        public var strays = 0

        public init() {}
    }

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

    private func removeRecords(_ result: inout Result) throws {
        let moment = now().microseconds
        result = try metadata.write { store in
            var result = Result()
            let sources = try Self.sources(store)
            for project in try store.projects() {
                let unused = UpkeepRules.unused(
                    try store.objects(project: project.id), sources: sources, limits: limits, nowMicroseconds: moment)
                for object in unused {
                    try store.delete(object)
                    try store.append(Self.entry(object, atMicroseconds: moment))
                }
                result.uploads += unused.count
            }
            let expired = UpkeepRules.expired(try store.uploadSessions(), limits: limits, nowMicroseconds: moment)
            for session in expired { try store.delete(session) }
            let unreferenced = UpkeepRules.unreferenced(
                try store.validations(), referenced: try store.referencedHashes())
            for validation in unreferenced { try store.delete(validation) }
            result.sessions = expired.count
            result.validations = unreferenced.count
            return result
        }
    }

    private static func sources(_ store: any MetadataReader) throws -> Set<UpkeepRules.Source> {
        var sources: Set<UpkeepRules.Source> = []
        for project in try store.projects() {
            var after: Int64 = 0
            while let batch = try Self.models(project.id, after: after, store) {
                for model in batch {
                    after = model.id
                    for version in try store.versions(model: model.id) {
                        sources.insert(
                            UpkeepRules.Source(
                                projectID: project.id, uri: version.sourceURI, sha256: version.sha256))
                    }
                }
            }
        }
        return sources
    }

    private static func models(
        _ project: String, after: Int64, _ store: any MetadataReader
    ) throws -> [Model]? {
        let batch = try store.models(project: project, after: after, limit: 200)
        return batch.isEmpty ? nil : batch
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
        result.blobs = try gate.pass { () throws -> Int in
            let needed = try metadata.read { store in
                UpkeepRules.needed(
                    referenced: try store.referencedHashes(), validations: try store.validations(),
                    served: Set(try store.servedReleases().map(\.sha256)))
            }
            let unneeded = try blobs.digests().filter { !needed.contains($0.hex) }
            for digest in unneeded { try blobs.remove(digest) }
            return unneeded.count
        }
    }

    private static func entry(_ object: UploadedObject, atMicroseconds: Int64) -> AuditEntry {
        AuditEntry(
            projectID: object.projectID, actor: "hearth", action: "file.expire", subject: object.uri,
            detail: "\(object.sizeBytes) bytes \(object.sha256); no version was made from it",
            atMicroseconds: atMicroseconds)
    }
}

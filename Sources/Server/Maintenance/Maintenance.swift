import HearthCatalog
import HearthCrypto
import HearthFiles
package import HearthStorage
package import HearthWire
import Synchronization

/// Removes what is not needed any more: first records, then the bytes that no record names, which are in the trash for
/// some days before they are deleted. If a removal is too large for `RemovalLimit`, it waits until an operator confirms
/// it.
///
/// Running uploads lose nothing: their bytes are in quarantine until a record names them, and the blob store's lock
/// protects the moment in between. While a backup runs, nothing is removed. One thread at a time.
package struct Maintenance: Sendable {
    /// What one round did.
    package struct Result: Sendable, Hashable {
        package var uploads = 0
        package var sessions = 0
        package var validations = 0
        /// Daily counts of events, and the journals of devices that stopped sending.
        package var events = 0
        /// Installations that were not seen for so long that they count no more.
        package var sightings = 0
        /// Files that were moved to the trash.
        package var trashed = 0
        /// Files that were restored from the trash because a record names them again.
        package var restored = 0
        /// Files from the trash that were deleted for good.
        package var blobs = 0
        /// Bytes of resumable uploads without a record.
        package var strays = 0
        package var deferred = DeferredRemovals()

        package init() {}
    }

    private static let dayMicroseconds: Int64 = 86_400_000_000
    /// How long the daily counts are kept, which show administrators whether events arrive.
    private static let eventDays: Int64 = 60
    /// The events that a device sent last may be counted twice if it was away for longer than this.
    private static let journalDays: Int64 = 400

    private let metadata: any MetadataStore
    private let blobs: any BlobStore
    private let files: TrashedFiles
    private let limits: MaintenanceRules.Limits
    private let backupLock: String?
    private let confirmation: RemovalConfirmation?
    private let status: MaintenanceStatus
    private let isAllowed: @Sendable () -> Bool
    private let now: @Sendable () -> Timestamp

    /// - Parameters:
    ///   - blobLock: the lock of the blob store; the validation queue has it.
    ///   - backupLock: path of the lock file that a backup holds; nil without backups.
    ///   - confirmation: how an operator confirms a large removal; nil if operators cannot.
    ///   - isAllowed: false while the folder may belong to another server.
    package init(
        metadata: any MetadataStore, blobs: any BlobStore, blobLock: BlobStoreLock, limits: MaintenanceRules.Limits,
        backupLock: String?, confirmation: RemovalConfirmation? = nil, status: MaintenanceStatus = MaintenanceStatus(),
        isAllowed: @escaping @Sendable () -> Bool = { true }, now: @escaping @Sendable () -> Timestamp
    ) {
        self.metadata = metadata
        self.blobs = blobs
        files = TrashedFiles(metadata: metadata, blobs: blobs, blobLock: blobLock)
        self.limits = limits
        self.backupLock = backupLock
        self.confirmation = confirmation
        self.status = status
        self.isAllowed = isAllowed
        self.now = now
    }

    /// Runs one round. Nil while a backup runs, which must find everything that the database names.
    ///
    /// - Throws: `.unavailable` while a backup of what several servers share runs.
    package func run() throws -> Result? {
        guard isAllowed() else { return nil }
        var lock: FileLock?
        if let backupLock {
            lock = try FileLock.tryAcquire(backupLock)
            guard lock != nil else { return nil }
        }
        defer { withExtendedLifetime(lock) {} }
        // Before an operator's confirmation is used up: a backup of what several servers share has this lock.
        try files.checkRemovalIsPossible()
        var limit = RemovalLimit(confirmed: try confirmation?.take() ?? DeferredRemovals())
        var result = Result()
        result.restored = try files.restoreFromTrash()
        let ended = try removeRecords(&result, &limit)
        try removeStrays(&result, &limit, ended: ended)
        try removeFiles(&result, &limit)
        result.deferred = limit.deferred
        try confirmation?.finish(limit.deferred)
        status.set(deferred: limit.deferred.count, trash: try blobs.trashedBlobs().count)
        return result
    }

    /// Works in small transactions, because publishers wait while one runs. A read transaction finds what to remove,
    /// and each item is checked again before its removal.
    ///
    /// - Returns: the ids of the resumable uploads whose records were to be removed.
    private func removeRecords(_ result: inout Result, _ limit: inout RemovalLimit) throws -> Set<String> {
        let moment = now().microseconds
        result.uploads = try removeUploads(atMicroseconds: moment, &limit)
        let (sessions, sessionCount) = try metadata.read { store in
            let all = try store.uploadSessions()
            return (MaintenanceRules.expired(all, limits: limits, nowMicroseconds: moment), all.count)
        }
        let mayEnd = limit.allows(sessions.count, of: sessionCount, .sessions)
        if mayEnd {
            result.sessions = try inBatches(sessions) { session, store in
                guard try store.uploadSession(id: session.id) == session else { return false }
                try store.delete(session)
                return true
            }
        }
        // A wrong clock that makes uploads look old makes counts look old too.
        if limit.deferred.count == 0 {
            result.events = try metadata.write { store in
                try store.deleteEvents(
                    beforeDay: moment / Self.dayMicroseconds - Self.eventDays,
                    untouchedSinceMicroseconds: moment - Self.journalDays * Self.dayMicroseconds)
            }
            try foldHealth(atMicroseconds: moment)
            result.sightings = try removeSightings(today: moment / Self.dayMicroseconds)
        }
        let validations = try metadata.read {
            MaintenanceRules.unreferenced(try $0.validations(), referenced: try $0.referencedHashes())
        }
        result.validations = try inBatches(validations) { validation, store in
            guard try !store.isReferenced(sha256: validation.sha256),
                let known = try store.validation(sha256: validation.sha256)
            else { return false }
            try store.delete(known)
            return true
        }
        return mayEnd ? Set(sessions.map(\.id)) : []
    }

    /// Without old periods it writes nothing.
    private func foldHealth(atMicroseconds moment: Int64) throws {
        while try metadata.read({ try $0.hasHealthToFold(nowMicroseconds: moment) }) {
            _ = try metadata.write { try $0.foldHealth(nowMicroseconds: moment, limit: Self.batchCount) }
        }
    }

    /// One model after the other, each once a day.
    private func removeSightings(today: Int64) throws -> Int {
        var removed = 0
        while let model = try metadata.read({ try $0.adoptionModelToClean(today: today) }) {
            removed += try metadata.write {
                try $0.cleanAdoption(model: model, today: today, rowLimit: AdoptionSample.rowLimit)
            }
        }
        return removed
    }

    private func removeUploads(atMicroseconds moment: Int64, _ limit: inout RemovalLimit) throws -> Int {
        let (unused, objectCount) = try metadata.read { store in
            let objects = try store.projects().flatMap { try store.objects(project: $0.id) }
            let old = MaintenanceRules.unusedCandidates(objects, limits: limits, nowMicroseconds: moment)
            return (try old.filter { try !store.hasVersion(of: $0) }, objects.count)
        }
        guard limit.allows(unused.count, of: objectCount, .uploads) else { return 0 }
        return try inBatches(unused) { object, store in
            let known = try store.object(bucket: object.bucket, name: object.name, project: object.projectID)
            guard known == object, try !store.hasVersion(of: object) else { return false }
            try store.delete(object)
            try store.append(Self.entry(object, atMicroseconds: moment))
            return true
        }
    }

    /// How many items are removed before other writers get a turn.
    static let batchCount = 64

    /// - Parameter remove: returns false if the item must stay.
    /// - Returns: how many items were removed.
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

    /// Removes parts of resumable uploads without a record. Records are written before the bytes, so no record can
    /// appear for them later.
    ///
    /// - Parameter ended: the uploads whose records this round removed. The limit has counted them already.
    private func removeStrays(_ result: inout Result, _ limit: inout RemovalLimit, ended: Set<String>) throws {
        let found = try blobs.resumable()
        let known = try metadata.read { Set(try $0.uploadSessions().map(\.id)) }
        let strays = found.filter { !known.contains($0) }
        let mayRemoveAll = limit.allows(strays.count { !ended.contains($0) }, of: found.count, .strays)
        for id in strays where mayRemoveAll || ended.contains(id) {
            try blobs.removeResumable(id)
            result.strays += 1
        }
    }

    /// Removes this server's files of resumable uploads that have ended. Where several servers share the data, each has such
    /// files, and the one that runs the rounds does not see those of the others.
    ///
    /// - Returns: how many.
    package func removeLocalStrays() throws -> Int {
        // The files first, because records are written before the bytes.
        let found = try blobs.resumableHere()
        guard !found.isEmpty else { return 0 }
        let known = try metadata.read { Set(try $0.uploadSessions().map(\.id)) }
        let strays = found.filter { !known.contains($0) }
        for id in strays { try blobs.removeResumableHere(id) }
        return strays.count
    }

    private func removeFiles(_ result: inout Result, _ limit: inout RemovalLimit) throws {
        let needed = try files.needed()
        let moment = now().microseconds
        let (all, trash) = (try blobs.digests(), try blobs.trashedBlobs())
        let unneeded = try blobs.settledDigests().filter { !needed.contains($0.hex) }
        let expiredTrash = MaintenanceRules.expiredTrash(
            trash, needed: needed, visible: Set(all.map(\.hex)), limits: limits, nowMicroseconds: moment)
        if limit.allows(unneeded.count, of: all.count, .files) {
            for batch in batches(unneeded) {
                result.trashed += try files.moveToTrash(batch, atSeconds: moment / 1_000_000)
            }
        }
        if limit.allows(expiredTrash.count, of: all.count + trash.count, .trash) {
            for batch in batches(expiredTrash) { result.blobs += try files.remove(batch) }
        }
    }

    private static func entry(_ object: UploadedObject, atMicroseconds: Int64) -> AuditEntry {
        AuditEntry(
            projectID: object.projectID, actor: "hearth", action: "file.expire", subject: object.uri,
            detail: "\(object.sizeBytes) bytes \(object.sha256); no version was made from it",
            atMicroseconds: atMicroseconds)
    }
}

/// What the metrics show about maintenance. Safe to use from any thread.
package final class MaintenanceStatus: Sendable {
    private let deferred = Atomic(0)
    private let trash = Atomic(0)

    package init() {}

    /// How many removals the last round deferred because they were too many at once.
    package var deferredCount: Int { deferred.load(ordering: .relaxed) }
    /// How many files were in the trash after the last round.
    package var trashCount: Int { trash.load(ordering: .relaxed) }

    func set(deferred count: Int, trash trashCount: Int) {
        deferred.store(count, ordering: .relaxed)
        trash.store(trashCount, ordering: .relaxed)
    }
}

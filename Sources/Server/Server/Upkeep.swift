import HearthConcurrency
import HearthMaintenance
import HearthStorage
import HearthValidation
import HearthWire
import HearthWork

/// What keeps a server's data in order: it removes what nothing needs any more, and brings back what records need again.
struct Upkeep: Sendable {
    /// What the maintenance found last.
    let status = MaintenanceStatus()
    /// By which an operator allows many removals at once.
    let confirmation: RemovalConfirmation

    private let maintenance: Maintenance
    private let trash: TrashedFiles
    private let data: ServerData
    private let state: ServerState
    private let isFirstStart: Bool

    init(
        _ configuration: ServerConfiguration, _ folder: DataFolder, _ claim: DataFolderLock, _ data: ServerData,
        _ blobLock: BlobStoreLock, _ state: ServerState, _ log: ServerLog
    ) {
        self.data = data
        self.state = state
        isFirstStart = claim.isFirstStart
        confirmation = folder.removalConfirmation(data)
        trash = TrashedFiles(metadata: data.metadata, blobs: data.blobs, blobLock: blobLock)
        maintenance = Maintenance(
            metadata: data.metadata, blobs: data.blobs, blobLock: blobLock, limits: configuration.maintenance,
            backupLock: folder.backupLockFile, confirmation: confirmation, status: status,
            isAllowed: { claim.obstacle(note: { log.error($0) }) == nil }, now: { .now })
    }

    /// Brings back from the trash what records need, before any request needs it; later if the store is away, or a backup
    /// uses it. Once, until `restoreLater`.
    func restoreFromTrash() throws {
        guard data.blobs.isAnswering, state.beginRestoring() else { return }
        do {
            try trash.restoreFromTrash()
        } catch let error as StorageError where error.code == .unavailable {
            state.restoreLater()
        }
    }

    func parts(_ log: PartLog) -> [ServerPart] {
        let (metadata, blobs, servers) = (data.metadata, data.blobs, data.metadata.coordination)
        let history = HistoryWatch(metadata)
        let removal = PeriodicTask(
            maintenance, scheduler: DispatchScheduler(label: "app.hearth.maintenance"), note: log.note,
            failure: log.failure,
            // What it would remove, it finds again later.
            isDue: { servers.holds(.maintenance) && metadata.readOnlyReason == nil && blobs.isAnswering })
        return [
            // The first round waits: the operator of a first start can look first.
            removal.part("maintenance", log, afterPause: isFirstStart),
            .periodic(
                "upload remains", everySeconds: 3600, log,
                isDue: { servers.isShared && metadata.contact?.isAnswering ?? true },
                work: { [maintenance] in
                    let count = try maintenance.removeLocalStrays()
                    return count == 0
                        ? [] : ["removed \(Quantity.text(count, "file")) of resumable uploads that have ended"]
                }),
            // Not together with what looks whether the store answers: this may wait for it.
            .periodic(
                "trash", everySeconds: 5, log, afterPause: true, isDue: { servers.isShared },
                work: {
                    // Records that are back may need files that are in the trash.
                    if history.hasChanged(metadata) { state.restoreLater() }
                    try restoreFromTrash()
                    return []
                }),
        ]
    }
}

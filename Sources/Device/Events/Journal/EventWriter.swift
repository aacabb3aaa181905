import Dispatch
import HearthApp
import HearthClient
import HearthConcurrency
import HearthFiles
import HearthWire

/// Writes events, exposures and the health of models to the disk, on its own queue. Use it from any thread.
final class EventWriter: Sendable {
    private struct State {
        var journal: Journal
        /// Whether the waiting events were erased since collecting was disabled.
        var isErased = false
    }

    private let app: FirebaseApp
    let folder: JournalFolder
    private let permission: CollectionPermission
    private let known: ReportedExposureCache
    private let pending = PendingEntries()
    /// Used on `work` only; the lock exists for the compiler's check.
    private let state: Lock<State>
    /// Sends what was written.
    private let sender: EventSender
    let work = DispatchQueue(label: "app.hearth.events")

    init(
        app: FirebaseApp, folder: JournalFolder, permission: CollectionPermission, known: ReportedExposureCache,
        sender: EventSender
    ) {
        self.app = app
        self.folder = folder
        self.permission = permission
        self.known = known
        self.sender = sender
        state = Lock(State(journal: Journal(folder, now: app.environment.clock.now())))
    }

    func add(_ event: EventBodies.Event) { add(.event(event)) }

    func add(_ health: ModelHealth) { add(.health(health)) }

    /// Adds an exposure, unless it was reported before.
    func add(_ exposure: Exposure) { add(.exposure(exposure)) }

    private func add(_ content: PendingEntries.Content) {
        let entry = PendingEntries.Entry(time: app.environment.clock.now(), content: content)
        if pending.add(entry) { work.async { self.writePending() } }
    }

    /// Starts the sending of what an earlier process left.
    func start() {
        work.async { [self] in
            try? AtomicFile.sweepAbandoned(in: folder.path, files: folder.files)
            // Also reads the permission, so that later callers need not wait for the disk.
            if isAllowed(), let names = try? folder.names(), !names.isEmpty { sender.scheduleSending(self) }
        }
    }

    /// Writes everything that was added until now and ends the segment. Blocks.
    func seal() {
        work.sync { self.state.withLock { $0.journal.seal() } }
    }

    /// Deletes waiting events, forgets which exposures were reported, and begins a new journal.
    func erase() {
        pending.erase()
        // Cleared again on the queue, for exposures that are reported until then; cleared here for those that are
        // reported immediately afterwards.
        known.clear()
        work.async { self.writePending() }
    }

    /// Forgets which exposures were reported, because stored items were discarded and exposures may be among them.
    /// Exposures that did arrive do no harm when they are reported again: the server counts each once. Blocks.
    func forgetReportedExposures() {
        work.sync { self.forgetExposures() }
    }

    /// Ends the segment, so that the next event log may use the folder.
    func close() {
        work.async { self.state.withLock { $0.journal.seal() } }
    }

    // MARK: On the queue

    private func writePending() {
        let contents = pending.take()
        if contents.clearsEarlierEntries { eraseNow() }
        guard isAllowed() else { return }
        if contents.lostCount > 0 { logLoss(contents.lostCount, "the disk is too slow") }
        guard !contents.entries.isEmpty else { return }
        do {
            try write(contents.entries, of: installation())
        } catch {
            logLoss(contents.entries.count, "they cannot be written: \(error)")
        }
    }

    private func write(_ waiting: [PendingEntries.Entry], of installation: String) throws(FileError) {
        var marks: ReportedExposures?
        var entries: [Journal.Entry] = []
        for entry in waiting {
            switch entry.content {
            case .event(let event): entries.append(Journal.Entry(time: entry.time, content: .event(event)))
            case .health(let health): entries.append(Journal.Entry(time: entry.time, content: .health(health)))
            case .exposure(let exposure):
                let known = marks ?? .load(folder, of: installation)
                guard !known.contains(exposure) else { continue }
                marks = known.adding(exposure)
                let body = EventBodies.Exposure(
                    experiment: exposure.experiment, variant: exposure.variant, start: exposure.start)
                entries.append(Journal.Entry(time: entry.time, content: .exposure(body)))
            }
        }
        guard !entries.isEmpty else { return }
        let oldCount = try state.withLock { state throws(FileError) in
            try state.journal.append(entries, of: installation, durably: marks != nil)
        }
        if oldCount > 0 {
            logLoss(oldCount, "the limit for events stored offline was reached")
        } else {
            // Only now: an exposure that is marked but not stored would never be reported.
            try marks?.save(folder)
        }
        sender.scheduleSending(self)
    }

    private func isAllowed() -> Bool {
        let isGranted = permission.isGranted
        let isErased = state.withLock { state in
            defer { state.isErased = !isGranted }
            return state.isErased
        }
        if !isGranted, !isErased { eraseNow() }
        return isGranted
    }

    private func eraseNow() {
        state.withLock { $0.journal = Journal(folder, now: app.environment.clock.now()) }
        do throws(FileError) {
            try folder.clear()
        } catch {
            AppLog.analytics.error("I-ACS013004", "Pending events cannot be removed: \(error.message)")
        }
        forgetExposures()
    }

    private func forgetExposures() {
        do throws(FileError) {
            try ReportedExposures.clear(folder)
        } catch {
            AppLog.analytics.error("I-ACS013008", "The record of exposures cannot be removed: \(error.message)")
        }
        known.clear()
    }

    private func installation() throws -> String {
        try Installations.installations(app: app).blockingInstallationID()
    }

    private func logLoss(_ count: Int, _ reason: String) {
        AppLog.analytics.error("I-ACS013002", "\(count) events are lost: \(reason)")
        forgetExposures()
    }
}

/// Events and exposures that wait for the disk, in order. Use it from any thread; no call blocks.
final class PendingEntries: Sendable {
    /// More entries can wait only while the disk does not respond.
    static let limit = 10_000

    struct Entry: Sendable {
        var time: Timestamp
        var content: Content
    }

    enum Content: Sendable {
        case event(EventBodies.Event)
        case exposure(Exposure)
        case health(ModelHealth)
    }

    struct Contents {
        var entries: [Entry] = []
        /// How many entries were lost because of the limit.
        var lostCount = 0
        /// Whether the entries that were written before must be erased first.
        var clearsEarlierEntries = false
    }

    private let state = Lock(Contents())

    /// Adds an entry.
    ///
    /// - Returns: Whether it is the first one, so that the caller must start the writing.
    func add(_ entry: Entry) -> Bool {
        state.withLock { state in
            guard state.entries.count < Self.limit else {
                state.lostCount += 1
                return false
            }
            state.entries.append(entry)
            return state.entries.count == 1
        }
    }

    /// Deletes the waiting entries, and those that were written before.
    func erase() { state.withLock { $0 = Contents(clearsEarlierEntries: true) } }

    /// Removes and returns everything.
    func take() -> Contents {
        state.withLock { state in
            defer { state = Contents() }
            return state
        }
    }
}

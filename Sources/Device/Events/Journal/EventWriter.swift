import Dispatch
import HearthApp
import HearthFiles
import HearthWire
import Synchronization

/// Writes events and exposures to the disk, on a queue of its own. Use it from any thread.
final class EventWriter: Sendable {
    private struct State {
        var journal: Journal
        /// Whether what waited was erased since the permission was taken away.
        var isErased = false
    }

    private let app: FirebaseApp
    private let folder: JournalFolder
    private let permission: CollectionPermission
    private let waiting = WaitingEntries()
    /// Used on `work` alone; the lock is what lets the compiler know.
    private let state: Mutex<State>
    /// Told when something was written.
    private let sender: EventSender
    private let work = DispatchQueue(label: "app.hearth.events")

    init(app: FirebaseApp, folder: JournalFolder, permission: CollectionPermission, sender: EventSender) {
        self.app = app
        self.folder = folder
        self.permission = permission
        self.sender = sender
        state = Mutex(State(journal: Journal(folder, now: app.environment.clock.now())))
    }

    func add(_ event: EventBodies.Event) {
        let entry = Journal.Entry(time: app.environment.clock.now(), content: .event(event))
        if waiting.add(entry) { work.async { self.writeWaiting() } }
    }

    /// Writes the exposure unless it is known from earlier.
    func add(_ exposure: Exposure) {
        let time = app.environment.clock.now()
        work.async { self.write(exposure, time) }
    }

    /// Sees to it that what an earlier process left is sent.
    func start() {
        work.async { [self] in
            try? AtomicFile.sweepAbandoned(in: folder.path, files: folder.files)
            // Also reads what permission there is, which nobody need wait for later.
            if isAllowed(), let names = try? folder.names(), !names.isEmpty { sender.wake(self) }
        }
    }

    /// Ends the segment that is being written, after what was added until now. Blocks.
    func seal() {
        work.sync { self.state.withLock { $0.journal.seal() } }
    }

    /// Forgets what waits and which exposures were reported, and begins a new journal.
    func erase() { work.async { self.eraseNow() } }

    /// The next one may write to the folder.
    func close() {
        work.async { self.state.withLock { $0.journal.seal() } }
    }

    // MARK: On the queue

    private func writeWaiting() {
        let (entries, lostCount) = waiting.take()
        guard isAllowed() else { return }
        if lostCount > 0 { log(lostCount, "the disk is too slow") }
        do {
            let installation = try installation()
            let oldCount = try state.withLock { state throws(FileError) in
                try state.journal.append(entries, of: installation)
            }
            if oldCount > 0 { log(oldCount, "there is no room for so many without a connection") }
            sender.wake(self)
        } catch {
            log(entries.count, "they cannot be written: \(error)")
        }
    }

    /// In this order: an exposure that is marked but not kept would never be reported.
    private func write(_ exposure: Exposure, _ time: Timestamp) {
        guard isAllowed() else { return }
        do {
            let installation = try installation()
            var marks = ExposureMarks.load(folder, of: installation)
            guard !marks.contains(exposure) else { return }
            let entry = Journal.Entry(
                time: time,
                content: .exposure(
                    EventBodies.Exposure(experiment: exposure.experiment, variant: exposure.variant)))
            let oldCount = try state.withLock { state throws(FileError) in
                try state.journal.append([entry], of: installation, durably: true)
            }
            if oldCount > 0 { log(oldCount, "there is no room for so many without a connection") }
            marks.insert(exposure)
            try marks.save(folder)
            sender.wake(self)
        } catch {
            AppLog.analytics.error("I-ACS013003", "An exposure is not kept: \(error)")
        }
    }

    private func isAllowed() -> Bool {
        let isGiven = permission.isGiven
        let isErased = state.withLock { state in
            defer { state.isErased = !isGiven }
            return state.isErased
        }
        if !isGiven, !isErased { eraseNow() }
        return isGiven
    }

    private func eraseNow() {
        _ = waiting.take()
        state.withLock { $0.journal = Journal(folder, now: app.environment.clock.now()) }
        do throws(FileError) {
            try folder.clear()
            try ExposureMarks.clear(folder)
        } catch {
            AppLog.analytics.error("I-ACS013004", "Events that wait cannot be removed: \(error.message)")
        }
    }

    private func installation() throws -> String {
        try Installations.installations(app: app).blockingInstallationID()
    }

    private func log(_ count: Int, _ reason: String) {
        AppLog.analytics.error("I-ACS013002", "\(count) events are lost: \(reason)")
    }
}

import HearthWork

/// Decides which file is next. Files wait by project, and projects take turns (`FairQueue`). A value that only decides;
/// it starts nothing.
struct ValidationSchedule {
    private let limits: QueueLimits
    private(set) var isOpen = false
    private var line: FairQueue<String>
    /// The projects in whose queues each file waits. A file of several projects is validated in the first one's turn.
    private var waiting: [String: Set<String>] = [:]
    /// The project in whose turn each running file was started.
    private var running: [String: String] = [:]
    /// Files between two tries, with their projects.
    private var pausing: [String: Set<String>] = [:]
    /// Files that were requested again while they ran.
    private var again: [String: Set<String>] = [:]
    private var failures: [String: Int] = [:]

    init(limits: QueueLimits) {
        self.limits = limits
        line = FairQueue(places: limits.concurrentChecks)
    }

    var isIdle: Bool { running.isEmpty }
    var runningCount: Int { running.count }
    /// The files that are being validated.
    var runningFiles: [String] { Array(running.keys) }

    /// Whether the file waits, is being validated, or will be tried again.
    func contains(_ sha256: String) -> Bool {
        waiting[sha256] != nil || running[sha256] != nil || pausing[sha256] != nil
    }
    /// Waiting, running, and to be tried again.
    var count: Int { waiting.count + running.count + pausing.count }

    mutating func open() { isOpen = true }

    /// Starts nothing any more. Files that are not running are dropped here; the database has them.
    mutating func close() {
        isOpen = false
        line.removeAll()
        waiting = [:]
        pausing = [:]
        again = [:]
    }

    /// Puts a file at the end of the project's queue, once.
    mutating func add(_ sha256: String, of project: String) {
        guard isOpen else { return }
        if running[sha256] != nil {
            again[sha256, default: []].insert(project)
        } else if pausing[sha256] != nil {
            pausing[sha256]?.insert(project)
        } else if waiting[sha256, default: []].insert(project).inserted {
            _ = line.add(sha256, of: project)
        }
    }

    /// The file to start now; it occupies a place.
    mutating func next() -> String? {
        guard isOpen else { return nil }
        while let (sha256, project) = line.next() {
            // If a file waits in several queues, its first turn is the only one.
            if waiting.removeValue(forKey: sha256) != nil {
                running[sha256] = project
                return sha256
            }
            line.finish(project)
        }
        return nil
    }

    /// The validation has ended, and its place is free.
    mutating func finish(_ sha256: String) {
        leave(sha256)
        failures[sha256] = nil
        for project in (again.removeValue(forKey: sha256) ?? []).sorted() { add(sha256, of: project) }
    }

    /// What happens to a file whose validation could not run.
    enum AfterFailure: Equatable {
        case retry(afterSeconds: Double)
        case giveUp
        /// The queue has stopped. The next start takes the file again.
        case leave
    }

    /// The validation could not run. With `retry` and `leave` the place is free; with `giveUp` it becomes free with
    /// `finish`.
    ///
    /// - Parameter isOutage: whether the database or the store is away: then the validation waits for it, however long that
    ///   takes.
    mutating func fail(_ sha256: String, isOutage: Bool = false) -> AfterFailure {
        guard isOpen else {
            leave(sha256)
            return .leave
        }
        let count = failures[sha256, default: 0]
        guard isOutage || count < limits.retryPausesSeconds.count else { return .giveUp }
        if !isOutage { failures[sha256] = count + 1 }
        var projects = again.removeValue(forKey: sha256) ?? []
        if let project = leave(sha256) { projects.insert(project) }
        pausing[sha256] = projects
        return .retry(afterSeconds: isOutage ? limits.outagePauseSeconds : limits.retryPausesSeconds[count])
    }

    /// The time before the next try is over.
    mutating func resume(_ sha256: String) {
        for project in (pausing.removeValue(forKey: sha256) ?? []).sorted() { add(sha256, of: project) }
    }

    @discardableResult
    private mutating func leave(_ sha256: String) -> String? {
        guard let project = running.removeValue(forKey: sha256) else { return nil }
        line.finish(project)
        return project
    }
}

/// How many validations run, and when a failed one is tried again.
package struct QueueLimits: Sendable, Hashable {
    /// The most simultaneous validations; others wait. The last free place is reserved for a project without a running
    /// validation. So one project gets at most one place less than there are; with a single place, any project may use
    /// it.
    package var concurrentChecks = 2
    /// The times before each further try of a validation that could not run. After the last try it is given up until
    /// the next start.
    package var retryPausesSeconds: [Double] = [1, 5, 30, 120]
    /// The time between two tries while the database or the store is away.
    package var outagePauseSeconds = 5.0

    package init() {}
}

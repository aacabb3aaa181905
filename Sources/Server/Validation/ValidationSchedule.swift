/// Which file is next: files wait by project, and turns go round (`FairQueue`). A value that decides; it starts nothing.
struct ValidationSchedule {
    private let limits: QueueLimits
    private(set) var isOpen = false
    private var line: FairQueue<String>
    /// In the lines of these projects: a file that several have brought is checked at the first one's turn.
    private var waiting: [String: Set<String>] = [:]
    /// By the project whose turn it was.
    private var running: [String: String] = [:]
    /// Between two tries, for these projects.
    private var pausing: [String: Set<String>] = [:]
    /// Those that were asked for once more while they ran.
    private var again: [String: Set<String>] = [:]
    private var failures: [String: Int] = [:]

    init(limits: QueueLimits) {
        self.limits = limits
        line = FairQueue(places: limits.concurrentChecks)
    }

    var isIdle: Bool { running.isEmpty }
    /// Waiting, under way, or to be tried again.
    var count: Int { waiting.count + running.count + pausing.count }

    mutating func open() { isOpen = true }

    /// Nothing is begun any more. What is not under way is forgotten: the database has it.
    mutating func close() {
        isOpen = false
        line.removeAll()
        waiting = [:]
        pausing = [:]
        again = [:]
    }

    /// Puts a file at the end of the project's line, once.
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

    /// The file to begin with now; it takes a place.
    mutating func next() -> String? {
        guard isOpen else { return nil }
        while let (sha256, project) = line.next() {
            // Of a file that was in several lines, the others' turns are over with the first.
            if waiting.removeValue(forKey: sha256) != nil {
                running[sha256] = project
                return sha256
            }
            line.finish(project)
        }
        return nil
    }

    /// Its check is over; the place is free.
    mutating func finish(_ sha256: String) {
        leave(sha256)
        failures[sha256] = nil
        for project in (again.removeValue(forKey: sha256) ?? []).sorted() { add(sha256, of: project) }
    }

    enum AfterFailure: Equatable {
        case retry(afterSeconds: Double)
        case giveUp
        /// The queue has stopped; the next start takes the file up again.
        case leave
    }

    /// Its check could not be run. With `retry` and `leave` the place is free; with `giveUp` that comes with `finish`.
    mutating func fail(_ sha256: String) -> AfterFailure {
        guard isOpen else {
            leave(sha256)
            return .leave
        }
        let count = failures[sha256, default: 0]
        guard count < limits.retryPausesSeconds.count else { return .giveUp }
        failures[sha256] = count + 1
        var projects = again.removeValue(forKey: sha256) ?? []
        if let project = leave(sha256) { projects.insert(project) }
        pausing[sha256] = projects
        return .retry(afterSeconds: limits.retryPausesSeconds[count])
    }

    /// The pause is over.
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

/// How a validation queue goes about its work.
package struct QueueLimits: Sendable, Hashable {
    /// Checks at once; more wait for their turn. The last free place is for a project that has none under way: a project has one
    /// place less than there are, and all of it where there is one.
    package var concurrentChecks = 2
    /// The pauses before a check is tried again that could not be run; after the last one it is given up
    /// until the next start.
    package var retryPausesSeconds: [Double] = [1, 5, 30, 120]

    package init() {}
}

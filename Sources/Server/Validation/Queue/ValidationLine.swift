/// Who is next: files wait in order for one of a few places. A value that decides; it starts nothing.
struct ValidationLine {
    private let limits: QueueLimits
    private(set) var isOpen = false
    /// In order, from `first` on; a long queue costs no more per file than a short one.
    private var order: [String] = []
    private var first = 0
    private var waiting: Set<String> = []
    private var running: Set<String> = []
    /// Between two tries.
    private var pausing: Set<String> = []
    /// Those that were asked for once more while they ran.
    private var again: Set<String> = []
    private var failures: [String: Int] = [:]

    init(limits: QueueLimits) { self.limits = limits }

    var isIdle: Bool { running.isEmpty }
    /// Waiting, under way, or to be tried again.
    var count: Int { waiting.count + running.count + pausing.count }

    mutating func open() { isOpen = true }

    /// Nothing is begun any more. What is not under way is forgotten: the database has it.
    mutating func close() {
        isOpen = false
        order = []
        first = 0
        waiting = []
        pausing = []
        again = []
    }

    /// Puts a file at the end, once.
    mutating func add(_ sha256: String) {
        guard isOpen else { return }
        if running.contains(sha256) {
            again.insert(sha256)
        } else if !pausing.contains(sha256), waiting.insert(sha256).inserted {
            order.append(sha256)
        }
    }

    /// The file to begin with now; it takes a place.
    mutating func next() -> String? {
        guard isOpen, running.count < max(1, limits.concurrentChecks), first < order.count else { return nil }
        let sha256 = order[first]
        first += 1
        if first == order.count { (order, first) = ([], 0) }
        waiting.remove(sha256)
        running.insert(sha256)
        return sha256
    }

    /// Its check is over; the place is free.
    mutating func finish(_ sha256: String) {
        running.remove(sha256)
        failures[sha256] = nil
        if again.remove(sha256) != nil { add(sha256) }
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
            running.remove(sha256)
            return .leave
        }
        let count = failures[sha256, default: 0]
        guard count < limits.retryPausesSeconds.count else { return .giveUp }
        failures[sha256] = count + 1
        running.remove(sha256)
        again.remove(sha256)
        pausing.insert(sha256)
        return .retry(afterSeconds: limits.retryPausesSeconds[count])
    }

    /// The pause is over.
    mutating func resume(_ sha256: String) {
        guard pausing.remove(sha256) != nil else { return }
        add(sha256)
    }
}

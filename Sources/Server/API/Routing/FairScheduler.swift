import HearthCatalog
import HearthIdentity
import HearthValidation
import Synchronization

/// Runs what takes long, a few pieces at a time: turns go round by project (`FairQueue`), and callers say how many of a
/// project's may wait. Any thread.
final class FairScheduler: Sendable {
    typealias Work = @Sendable () -> Void

    /// What waits in one line: the many of one kind keep no other waiting.
    enum Kind: Int {
        case read
        case change
        /// A device's fetch.
        case fetch
    }

    private let scheduler: any WorkScheduler
    private let line: Mutex<FairQueue<Work>>

    init(places: Int, scheduler: any WorkScheduler) {
        self.scheduler = scheduler
        line = Mutex(FairQueue(places: places))
    }

    /// Whether fewer than `most` of the project's wait now.
    func canAdmit(for project: String, _ kind: Kind, most: Int) -> Bool {
        line.withLock { $0.waitingCount(of: project, kind: kind.rawValue) < most }
    }

    /// Runs it at the project's turn, never inside this call. False, and it is not run, where `most` of the project's wait.
    @discardableResult
    func run(for project: String, _ kind: Kind = .change, most: Int = .max, _ work: @escaping Work) -> Bool {
        guard line.withLock({ $0.add(work, of: project, kind: kind.rawValue, most: most) }) else { return false }
        startNext()
        return true
    }

    private func startNext() {
        while let turn = line.withLock({ $0.next() }) {
            scheduler.run { [self] in run(turn) }
        }
    }

    /// Goes on with the next piece on the same thread.
    private func run(_ first: (item: Work, project: String)) {
        var turn = first
        while true {
            turn.item()
            let next = line.withLock { line in
                line.finish(turn.project)
                return line.next()
            }
            guard let next else { return }
            turn = next
            // A project that has no place any more may have the last one as well.
            startNext()
        }
    }
}

/// Who waits for a turn: calls of one project wait for each other.
protocol QueueKeyed: Sendable {
    /// The id of a project; empty for calls about the server as a whole.
    var queueKey: String { get }
}

extension AdminCall: QueueKeyed {
    var queueKey: String { project.id }
}

extension Principal: QueueKeyed {
    var queueKey: String { "" }
}

extension Installation: QueueKeyed {
    var queueKey: String { projectID }
}

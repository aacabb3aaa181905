import HearthValidation
import Synchronization

/// Runs what takes long, a few pieces at a time: turns go round by project (`FairLine`), and a project lets so many wait at most.
/// Any thread.
final class FairWork: Sendable {
    typealias Work = @Sendable () -> Void

    private let scheduler: any WorkScheduler
    private let line: Mutex<FairLine<Work>>

    init(places: Int, waitingPerProject: Int, scheduler: any WorkScheduler) {
        self.scheduler = scheduler
        line = Mutex(FairLine(places: places, waitingPerProject: waitingPerProject))
    }

    /// Whether another piece of the project's would be taken now, and, where there is such a number, fewer than `most` wait.
    func hasRoom(for project: String, most: Int = .max) -> Bool {
        line.withLock { $0.hasRoom(for: project) && $0.waitingCount(of: project) < most }
    }

    /// Runs it at the project's turn, never inside this call. False, and it is not run, where too much of the project waits.
    func run(for project: String, _ work: @escaping Work) -> Bool {
        guard line.withLock({ $0.add(work, of: project) }) else { return false }
        beginMore()
        return true
    }

    private func beginMore() {
        while let turn = line.withLock({ $0.next() }) {
            scheduler.run { [self] in take(turn) }
        }
    }

    /// Goes on with the next piece on the same thread.
    private func take(_ first: (item: Work, project: String)) {
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
            beginMore()
        }
    }
}

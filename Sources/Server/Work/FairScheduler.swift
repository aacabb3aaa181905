import HearthConcurrency

/// Runs slow work, a few pieces at a time, and takes turns between projects (`FairQueue`). Callers limit how many
/// pieces of a project may wait. Safe to call from any thread.
package final class FairScheduler: Sendable {
    package typealias Work = @Sendable () -> Void

    /// Each kind has its own queue, so that much work of one kind does not delay the others.
    package enum Kind: Int {
        case read
        case change
        /// A device's fetch.
        case fetch
    }

    private let scheduler: any WorkScheduler
    private let line: Lock<FairQueue<Work>>

    package init(places: Int, scheduler: any WorkScheduler) {
        self.scheduler = scheduler
        line = Lock(FairQueue(places: places))
    }

    /// Whether fewer than `most` pieces of the project's work wait now.
    package func canAdmit(for project: String, _ kind: Kind, most: Int) -> Bool {
        line.withLock { $0.waitingCount(of: project, kind: kind.rawValue) < most }
    }

    /// Runs the work when the project's queue reaches it, never inside this call. If `most` pieces of the project wait
    /// already, it returns false and does not run the work.
    @discardableResult
    package func run(for project: String, _ kind: Kind = .change, most: Int = .max, _ work: @escaping Work) -> Bool {
        guard line.withLock({ $0.add(work, of: project, kind: kind.rawValue, most: most) }) else { return false }
        startNext()
        return true
    }

    private func startNext() {
        while let turn = line.withLock({ $0.next() }) {
            scheduler.run { [self] in run(turn) }
        }
    }

    /// Continues with the next piece on the same thread.
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
            // Two pieces may start now: the last free place is only for a project without running work.
            startNext()
        }
    }
}

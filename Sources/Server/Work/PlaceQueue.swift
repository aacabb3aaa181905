import HearthConcurrency

/// How many callers a queue of work admits.
package struct PlaceLimits: Sendable, Hashable {
    /// The most callers that wait or run.
    package var places: Int
    /// The most of them that belong to one project.
    package var placesPerProject: Int
    /// Of the places, the last free ones that only a project without a place may take.
    package var reservedPlaces: Int
    /// The most that run at the same time.
    package var runs: Int

    package init(places: Int, placesPerProject: Int, reservedPlaces: Int, runs: Int) {
        self.places = places
        self.placesPerProject = placesPerProject
        self.reservedPlaces = reservedPlaces
        self.runs = runs
    }
}

/// Work that callers wait for, a limited amount of it: who has no place is refused at once. Projects take turns. Safe to
/// call from any thread.
package final class PlaceQueue: Sendable {
    /// Does the work and gives its answer; with true, only answers that the server is stopping.
    package typealias Job = @Sendable (_ isStopping: Bool) -> Void

    private struct State {
        /// How many places each project has.
        var taken: [String: Int] = [:]
        var line: FairQueue<Int>
        /// What waits, by its number in the line.
        var jobs: [Int: Job] = [:]
        var lastNumber = 0
        var isOpen = true
        var whenIdle: [@Sendable () -> Void] = []
    }

    private let limits: PlaceLimits
    private let scheduler: any WorkScheduler
    private let state: Lock<State>

    package init(limits: PlaceLimits, scheduler: any WorkScheduler) {
        self.limits = limits
        self.scheduler = scheduler
        state = Lock(State(line: FairQueue(places: limits.runs)))
    }

    /// A place of the project; nil if it must wait for others.
    package func place(of project: String) -> QueuePlace? {
        let isFree = state.withLock { state in
            let own = state.taken[project, default: 0]
            let free = limits.places - state.taken.values.reduce(0, +)
            let least = own == 0 ? 1 : limits.reservedPlaces + 1
            guard free >= least, own < limits.placesPerProject else { return false }
            state.taken[project] = own + 1
            return true
        }
        return isFree ? QueuePlace(project: project) { [weak self] in self?.giveUp(project) } : nil
    }

    private func giveUp(_ project: String) {
        state.withLock { state in
            let left = state.taken[project, default: 0] - 1
            state.taken[project] = left > 0 ? left : nil
        }
    }

    /// How many places are taken.
    package var takenPlaces: Int { state.withLock { $0.taken.values.reduce(0, +) } }

    /// False once the queue stops: what runs should end.
    package var isOpen: Bool { state.withLock { $0.isOpen } }

    /// Calls the job once, when it is its turn, on a thread of the scheduler; at once if the queue is stopping.
    package func run(for project: String, _ job: @escaping Job) {
        let isQueued = state.withLock { state in
            guard state.isOpen else { return false }
            state.lastNumber += 1
            state.jobs[state.lastNumber] = job
            return state.line.add(state.lastNumber, of: project)
        }
        guard isQueued else { return job(true) }
        startNext()
    }

    /// Ends what waits. `completion` is called when nothing runs any more; at once if nothing does.
    package func stop(_ completion: @escaping @Sendable () -> Void) {
        let (waiting, isIdle) = state.withLock { state in
            state.isOpen = false
            state.line.removeAll()
            if !state.line.isIdle { state.whenIdle.append(completion) }
            defer { state.jobs = [:] }
            return (Array(state.jobs.values), state.line.isIdle)
        }
        for job in waiting { job(true) }
        if isIdle { completion() }
    }

    private func startNext() {
        while let turn = state.withLock({ $0.isOpen ? $0.line.next() : nil }) {
            scheduler.run { [self] in run(turn.item, of: turn.project) }
        }
    }

    private func run(_ number: Int, of project: String) {
        if let job = state.withLock({ $0.jobs.removeValue(forKey: number) }) { job(false) }
        let idle = state.withLock { state -> [@Sendable () -> Void] in
            state.line.finish(project)
            guard !state.isOpen, state.line.isIdle else { return [] }
            defer { state.whenIdle = [] }
            return state.whenIdle
        }
        for callback in idle { callback() }
        startNext()
    }
}

/// The right to one piece of work in a queue. It ends with `giveUp`, or when the place is released.
package final class QueuePlace: Sendable {
    package let project: String
    private let isHeld = Lock(true)
    private let onEnd: @Sendable () -> Void

    init(project: String, onEnd: @escaping @Sendable () -> Void) {
        self.project = project
        self.onEnd = onEnd
    }

    deinit { giveUp() }

    /// Has an effect once.
    package func giveUp() {
        let wasHeld = isHeld.withLock { isHeld in
            defer { isHeld = false }
            return isHeld
        }
        if wasHeld { onEnd() }
    }
}

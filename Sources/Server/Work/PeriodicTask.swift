import HearthConcurrency
import HearthStorage

/// Runs work at the start and then periodically, never twice at the same time.
package final class PeriodicTask: Sendable {
    private let name: String
    private let isDue: @Sendable () -> Bool
    private let work: @Sendable () throws -> [String]
    private let scheduler: any WorkScheduler
    private let pauseSeconds: Double
    private let note: @Sendable (String) -> Void
    private let failure: @Sendable (String) -> Void
    private let state = Lock(State())
    private let lastObstacle = Lock<String?>(nil)

    /// What the task's lock protects.
    private struct State {
        var isStopped = false
        var isRunning = false
        var whenIdle: [@Sendable () -> Void] = []
    }

    /// - Parameters:
    ///   - name: the beginning of a failure's line.
    ///   - pauseSeconds: from the end of one round to the next.
    ///   - note: gets each line of a round's result.
    ///   - failure: gets one line for each failed round.
    ///   - isDue: false while another server does this; asked before each round, and again after some seconds.
    ///   - work: one round; returns what it did, in lines.
    package init(
        _ name: String, scheduler: any WorkScheduler, pauseSeconds: Double, note: @escaping @Sendable (String) -> Void,
        failure: @escaping @Sendable (String) -> Void, isDue: @escaping @Sendable () -> Bool = { true },
        work: @escaping @Sendable () throws -> [String]
    ) {
        self.name = name
        self.isDue = isDue
        self.work = work
        self.scheduler = scheduler
        self.pauseSeconds = pauseSeconds
        self.note = note
        self.failure = failure
    }

    /// Starts the task. Call it once.
    ///
    /// - Parameter afterPause: whether the first round waits for `pauseSeconds`.
    package func start(afterPause: Bool = false) {
        scheduler.run(afterSeconds: afterPause ? pauseSeconds : 0) { [weak self] in self?.round() }
    }

    /// Starts no more rounds, and calls back when none runs any more.
    package func stop(_ completion: @escaping @Sendable () -> Void) {
        let isIdle = state.withLock { state in
            state.isStopped = true
            if state.isRunning { state.whenIdle.append(completion) }
            return !state.isRunning
        }
        if isIdle { completion() }
    }

    private func round() {
        let mayRun = state.withLock { state in
            guard !state.isStopped else { return false }
            state.isRunning = true
            return true
        }
        guard mayRun else { return }
        let isDue = isDue()
        var pause = isDue ? pauseSeconds : min(pauseSeconds, Self.askingSeconds)
        if isDue {
            do {
                for line in try work() { note(line) }
                lastObstacle.withLock { $0 = nil }
            } catch let error as StorageError where error.code == .unavailable {
                // It may be possible in a moment. A long obstacle is said once.
                pause = min(pauseSeconds, Self.obstacleSeconds)
                let text = "\(error)"
                let isNew = lastObstacle.withLock { last in
                    defer { last = text }
                    return last != text
                }
                if isNew { failure("\(name): \(text)") }
            } catch {
                failure("\(name): \(error)")
            }
        }
        let completions = state.withLock { state in
            state.isRunning = false
            defer { state.whenIdle = [] }
            return state.whenIdle
        }
        for completion in completions { completion() }
        scheduler.run(afterSeconds: pause) { [weak self] in self?.round() }
    }

    /// How soon a server takes over from one that has ended.
    private static let askingSeconds = 2.0
    /// How soon a round is tried again that something unavailable ended.
    private static let obstacleSeconds = 60.0
}

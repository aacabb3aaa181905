package import HearthValidation
import Synchronization

/// Has something done at the start and then once in a while, never twice at a time.
package final class PeriodicTask: Sendable {
    private let name: String
    private let work: @Sendable () throws -> [String]
    private let scheduler: any WorkScheduler
    private let pauseSeconds: Double
    private let note: @Sendable (String) -> Void
    private let failure: @Sendable (String) -> Void
    private let state = Mutex(State())

    private struct State {
        var isStopped = false
        var isRunning = false
        var whenIdle: [@Sendable () -> Void] = []
    }

    /// - Parameters:
    ///   - name: begins the line of a failure.
    ///   - pauseSeconds: between the end of one round and the next.
    ///   - note: gets each line that a round has to tell.
    ///   - failure: gets one line for each round that failed.
    ///   - work: one round; what it did, in lines.
    package init(
        _ name: String, scheduler: any WorkScheduler, pauseSeconds: Double, note: @escaping @Sendable (String) -> Void,
        failure: @escaping @Sendable (String) -> Void, work: @escaping @Sendable () throws -> [String]
    ) {
        self.name = name
        self.work = work
        self.scheduler = scheduler
        self.pauseSeconds = pauseSeconds
        self.note = note
        self.failure = failure
    }

    /// Once.
    ///
    /// - Parameter afterPause: whether the first time comes only after the pause.
    package func start(afterPause: Bool = false) {
        scheduler.run(afterSeconds: afterPause ? pauseSeconds : 0) { [weak self] in self?.round() }
    }

    /// Begins no more rounds, and calls back when none runs any more.
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
        do {
            for line in try work() { note(line) }
        } catch {
            failure("\(name): \(error)")
        }
        let completions = state.withLock { state in
            state.isRunning = false
            defer { state.whenIdle = [] }
            return state.whenIdle
        }
        for completion in completions { completion() }
        scheduler.run(afterSeconds: pauseSeconds) { [weak self] in self?.round() }
    }
}

extension PeriodicTask {
    /// Has the maintenance done.
    package convenience init(
        _ maintenance: Maintenance, scheduler: any WorkScheduler, pauseSeconds: Double = 3600,
        note: @escaping @Sendable (String) -> Void, failure: @escaping @Sendable (String) -> Void
    ) {
        self.init("maintenance", scheduler: scheduler, pauseSeconds: pauseSeconds, note: note, failure: failure) {
            guard var result = try maintenance.run() else { return [] }
            if result.deferred.count > 0 { failure(Self.text(result.deferred)) }
            result.deferred = DeferredRemovals()
            return result == Maintenance.Result() ? [] : [Self.text(result)]
        }
    }

    private static func text(_ result: Maintenance.Result) -> String {
        """
        maintenance removed: unused uploads \(result.uploads), expired resumable uploads \(result.sessions), stray parts of \
        uploads \(result.strays), verdicts \(result.validations), counts of events \(result.events), files set aside \
        before \(result.blobs); set aside: files \(result.setAside); put back: files \(result.restored)
        """
    }

    private static func text(_ deferred: DeferredRemovals) -> String {
        """
        maintenance left \(deferred.text): too much at once, as when the database or the clock is a wrong one. If it is \
        right, allow it: hearth admin clean --confirm \(deferred.count). If not, stop the server and put right what is wrong
        """
    }
}

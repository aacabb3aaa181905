public import HearthValidation
import Synchronization

/// Has the upkeep done at the start and then once in a while, never twice at a time.
public final class UpkeepTimer: Sendable {
    private let upkeep: Upkeep
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
    ///   - pauseSeconds: between the end of one round and the next.
    ///   - note: gets one line for each round that removed something.
    ///   - failure: gets one line for each round that failed.
    public init(
        _ upkeep: Upkeep, scheduler: any WorkScheduler, pauseSeconds: Double = 3600,
        note: @escaping @Sendable (String) -> Void, failure: @escaping @Sendable (String) -> Void
    ) {
        self.upkeep = upkeep
        self.scheduler = scheduler
        self.pauseSeconds = pauseSeconds
        self.note = note
        self.failure = failure
    }

    /// Once.
    public func start() { scheduler.run { [weak self] in self?.round() } }

    /// Begins no more rounds, and calls back when none runs any more.
    public func stop(_ completion: @escaping @Sendable () -> Void) {
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
            if let result = try upkeep.run(), result != Upkeep.Result() { note(Self.text(result)) }
        } catch {
            failure("upkeep: \(error)")
        }
        let completions = state.withLock { state in
            state.isRunning = false
            defer { state.whenIdle = [] }
            return state.whenIdle
        }
        for completion in completions { completion() }
        scheduler.run(afterSeconds: pauseSeconds) { [weak self] in self?.round() }
    }

    private static func text(_ result: Upkeep.Result) -> String {
        """
        upkeep removed: unused uploads \(result.uploads), expired resumable uploads \(result.sessions), stray parts of \
        uploads \(result.strays), verdicts \(result.validations), files \(result.blobs)
        """
    }
}

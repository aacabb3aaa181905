import HearthValidation
import Synchronization

/// Runs work when the test says so, on the test's thread.
final class ManualScheduler: WorkScheduler {
    private struct State {
        var ready: [@Sendable () -> Void] = []
        var later: [(seconds: Double, work: @Sendable () -> Void)] = []
        var now = 0.0
    }

    private let state = Mutex(State())

    func run(_ work: @escaping @Sendable () -> Void) { state.withLock { $0.ready.append(work) } }

    func run(afterSeconds seconds: Double, _ work: @escaping @Sendable () -> Void) {
        state.withLock { $0.later.append(($0.now + seconds, work)) }
    }

    /// What was begun and has not run yet.
    var readyCount: Int { state.withLock { $0.ready.count } }

    /// Runs one piece of work; false when there is none.
    @discardableResult func step() -> Bool {
        guard let work = state.withLock({ $0.ready.isEmpty ? nil : $0.ready.removeFirst() }) else { return false }
        work()
        return true
    }

    /// Runs all there is, and what that begins.
    func drain() { while step() {} }

    /// Lets time pass, then runs all there is.
    func advance(seconds: Double) {
        let due = state.withLock { state in
            state.now += seconds
            let due = state.later.filter { $0.seconds <= state.now }
            state.later.removeAll { $0.seconds <= state.now }
            return due
        }
        for item in due { item.work() }
        drain()
    }
}

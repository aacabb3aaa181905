import HearthValidation
import Synchronization

/// Runs nothing until it is told that the time has come.
final class TurnScheduler: WorkScheduler {
    private let waiting = Mutex<[@Sendable () -> Void]>([])

    var count: Int { waiting.withLock { $0.count } }

    func run(_ work: @escaping @Sendable () -> Void) { waiting.withLock { $0.append(work) } }

    func run(afterSeconds seconds: Double, _ work: @escaping @Sendable () -> Void) { run(work) }

    /// Runs what waits now, and not what that leaves waiting.
    func passTime() {
        let work = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for item in work { item() }
    }
}

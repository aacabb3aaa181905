import Dispatch
import Foundation
import Glibc

/// A thread for each piece of work. For what keeps a processor busy, or waits, for long: Dispatch has hardly more threads than the
/// machine has processors for its concurrent queues, and a few such pieces would keep all others of the process waiting. Whoever uses
/// it sees to it that there are few pieces at once.
public struct ThreadScheduler: WorkScheduler {
    /// Serial, because those have threads of their own.
    private let timer: DispatchQueue
    private let niceness: Int32

    /// - Parameters:
    ///   - label: names the timer in a debugger.
    ///   - niceness: how much its threads stand back behind others where the processors have too much to do, 0 to 19.
    public init(label: String, niceness: Int32 = 0) {
        timer = DispatchQueue(label: label)
        self.niceness = niceness
    }

    public func run(_ work: @escaping @Sendable () -> Void) {
        Thread.detachNewThread { [niceness] in
            // Of this thread alone, on Linux.
            if niceness > 0 { _ = nice(niceness) }
            work()
        }
    }

    public func run(afterSeconds seconds: Double, _ work: @escaping @Sendable () -> Void) {
        timer.asyncAfter(deadline: .now() + seconds) { [self] in run(work) }
    }
}

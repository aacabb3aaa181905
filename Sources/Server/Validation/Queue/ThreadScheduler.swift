import Dispatch
import Foundation

/// A thread for each piece of work. For what keeps a processor busy, or waits, for long: Dispatch has hardly more threads than the
/// machine has processors for its concurrent queues, and a few such pieces would keep all others of the process waiting. Whoever uses
/// it sees to it that there are few pieces at once.
public struct ThreadScheduler: WorkScheduler {
    /// Serial, because those have threads of their own.
    private let timer: DispatchQueue

    /// - Parameter label: names the timer in a debugger.
    public init(label: String) { timer = DispatchQueue(label: label) }

    public func run(_ work: @escaping @Sendable () -> Void) { Thread.detachNewThread(work) }

    public func run(afterSeconds seconds: Double, _ work: @escaping @Sendable () -> Void) {
        timer.asyncAfter(deadline: .now() + seconds) { Thread.detachNewThread(work) }
    }
}

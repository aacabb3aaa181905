import Dispatch
import Foundation

/// Where and when work runs. Tests bring one of their own, so that they need no clock.
package protocol WorkScheduler: Sendable {
    /// Runs it soon, never inside this call, on a thread that may wait.
    func run(_ work: @escaping @Sendable () -> Void)

    /// Runs it `seconds` from now, on a thread that may wait.
    func run(afterSeconds seconds: Double, _ work: @escaping @Sendable () -> Void)
}

/// A queue of Dispatch. A serial one has a thread of its own; concurrent ones share few among all of the process, and wait where
/// others keep those busy.
package struct DispatchScheduler: WorkScheduler {
    private let queue: DispatchQueue

    /// - Parameters:
    ///   - label: names the threads in a debugger.
    ///   - isSerial: one piece of work after the other.
    package init(label: String, isSerial: Bool = false) {
        queue = DispatchQueue(label: label, attributes: isSerial ? [] : .concurrent)
    }

    package func run(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    package func run(afterSeconds seconds: Double, _ work: @escaping @Sendable () -> Void) {
        queue.asyncAfter(deadline: .now() + seconds, execute: work)
    }
}

/// A thread for each piece of work. For what keeps a processor busy, or waits, for long: Dispatch has hardly more threads than the
/// machine has processors for its concurrent queues, and a few such pieces would keep all others of the process waiting. Whoever uses
/// it sees to it that there are few pieces at once.
package struct ThreadScheduler: WorkScheduler {
    /// Serial, because those have threads of their own.
    private let timer: DispatchQueue

    /// - Parameter label: names the timer in a debugger.
    package init(label: String) { timer = DispatchQueue(label: label) }

    package func run(_ work: @escaping @Sendable () -> Void) { Thread.detachNewThread(work) }

    package func run(afterSeconds seconds: Double, _ work: @escaping @Sendable () -> Void) {
        timer.asyncAfter(deadline: .now() + seconds) { Thread.detachNewThread(work) }
    }
}

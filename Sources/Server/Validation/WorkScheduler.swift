internal import CScheduling
import Dispatch
import Foundation

/// Decides where and when work runs. Tests use their own implementation, so that they need no clock.
package protocol WorkScheduler: Sendable {
    /// Runs the work soon, never inside this call, on a thread that may wait.
    func run(_ work: @escaping @Sendable () -> Void)

    /// Runs the work after that time, on a thread that may wait.
    func run(afterSeconds seconds: Double, _ work: @escaping @Sendable () -> Void)
}

/// A queue of Dispatch. A serial queue has a thread of its own. Concurrent queues of the process share few threads, and
/// wait while those are busy.
package struct DispatchScheduler: WorkScheduler {
    private let queue: DispatchQueue

    /// - Parameters:
    ///   - label: names the threads in a debugger.
    ///   - isSerial: whether the work runs one piece after the other.
    package init(label: String, isSerial: Bool = false) {
        queue = DispatchQueue(label: label, attributes: isSerial ? [] : .concurrent)
    }

    package func run(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    package func run(afterSeconds seconds: Double, _ work: @escaping @Sendable () -> Void) {
        queue.asyncAfter(deadline: .now() + seconds, execute: work)
    }
}

/// Starts a thread for each piece of work. For work that occupies a processor, or waits, for long: Dispatch has few
/// more threads for its concurrent queues than the machine has processors, so a few such pieces would delay all others
/// of the process. Its users must limit the number of simultaneous pieces.
package struct ThreadScheduler: WorkScheduler {
    /// Serial, because serial queues have threads of their own.
    private let timer: DispatchQueue

    private let yieldsToOthers: Bool

    /// - Parameters:
    ///   - label: names the timer in a debugger.
    ///   - yieldsToOthers: whether the system prefers the process's other threads when the processors are busy. Processes
    ///     that the work starts inherit that.
    package init(label: String, yieldsToOthers: Bool = false) {
        timer = DispatchQueue(label: label)
        self.yieldsToOthers = yieldsToOthers
    }

    package func run(_ work: @escaping @Sendable () -> Void) { start(work) }

    package func run(afterSeconds seconds: Double, _ work: @escaping @Sendable () -> Void) {
        timer.asyncAfter(deadline: .now() + seconds) { start(work) }
    }

    private func start(_ work: @escaping @Sendable () -> Void) {
        guard yieldsToOthers else { return Thread.detachNewThread(work) }
        Thread.detachNewThread {
            // It gets a tenth of the time of a usual thread then. A thread with a usual slice, which wakes, need not wait
            // for the end of this longer one, of some milliseconds. A failure would only cost time.
            _ = scheduling_set(10, 20_000_000)
            work()
        }
    }
}

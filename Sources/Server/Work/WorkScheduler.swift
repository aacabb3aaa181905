internal import CScheduling
import Dispatch
import Foundation
import Glibc
import HearthConcurrency

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
        UsualThreads.prepare()
    }

    package func run(_ work: @escaping @Sendable () -> Void) {
        UsualThreads.run { [queue] in queue.async(execute: work) }
    }

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
        UsualThreads.prepare()
        self.yieldsToOthers = yieldsToOthers
    }

    package func run(_ work: @escaping @Sendable () -> Void) { start(work) }

    package func run(afterSeconds seconds: Double, _ work: @escaping @Sendable () -> Void) {
        timer.asyncAfter(deadline: .now() + seconds) { start(work) }
    }

    private func start(_ work: @escaping @Sendable () -> Void) {
        guard yieldsToOthers else { return UsualThreads.run { Thread.detachNewThread(work) } }
        Thread.detachNewThread {
            // It gets a tenth of the time of a usual thread then. A thread with a usual slice, which wakes, need not wait
            // for the end of this longer one, of some milliseconds. Where the system refuses a slice, the priority is
            // better than nothing. A failure would only cost time.
            if scheduling_set(10, 20_000_000) != 0 {
                // In Linux, 0 names the calling thread, not its process (setpriority(2), "C library/kernel differences").
                _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
            }
            work()
        }
    }
}

/// Starts threads with the usual priority from threads with a lower one.
///
/// A new thread inherits the priority of the one that starts it, and cannot raise it. That holds for the threads of
/// Dispatch too, which it starts where work is added to a queue, and which serve other queues later.
private enum UsualThreads {
    private static let usual = priority
    private static let waiting = Lock<[@Sendable () -> Void]>([])
    private static let signal = DispatchSemaphore(value: 0)
    private static let isPrepared: Bool = {
        Thread.detachNewThread {
            while true {
                signal.wait()
                waiting.withLock { $0.removeFirst() }()
            }
        }
        return true
    }()

    private static var priority: Int32 { getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) }

    /// Call it once on a thread with the usual priority.
    static func prepare() { _ = (usual, isPrepared) }

    /// Runs the body, which starts a thread and does not wait: here, or on a thread that always runs.
    static func run(_ body: @escaping @Sendable () -> Void) {
        guard priority > usual else { return body() }
        waiting.withLock { $0.append(body) }
        signal.signal()
    }
}

import Foundation
import Glibc
import HearthConcurrency

/// Waits for SIGINT and SIGTERM: they are blocked in every thread, and the waiting thread takes them.
package struct StopSignals: Sendable {
    /// A signal that asks the program to stop.
    package struct Stop: Sendable {
        package let number: Int32

        package var name: String { number == SIGINT ? "SIGINT" : "SIGTERM" }
        /// The exit code that a shell reports for this signal.
        package var exitCode: Int32 { 128 + number }
    }

    private let set: sigset_t

    /// Blocks the signals in this thread and in those that it will start.
    ///
    /// - Parameter others: further signals to wait for, which stop nothing.
    package init(and others: [Int32] = []) {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGINT)
        sigaddset(&set, SIGTERM)
        for other in others { sigaddset(&set, other) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
        self.set = set
    }

    /// Waits for the first signal that stops, and hands over the other signals. Afterwards the next SIGINT or SIGTERM of this
    /// thread ends the program as usual. The other signals then stay blocked.
    package func wait(_ other: (Int32) -> Void = { _ in }) -> Stop {
        var set = set
        var number: Int32 = 0
        while true {
            guard sigwait(&set, &number) == 0 else { continue }
            if number == SIGINT || number == SIGTERM { break }
            other(number)
        }
        signal(SIGINT, SIG_DFL)
        signal(SIGTERM, SIG_DFL)
        sigemptyset(&set)
        sigaddset(&set, SIGINT)
        sigaddset(&set, SIGTERM)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        return Stop(number: number)
    }
}

/// Turns the first SIGINT or SIGTERM into a cancellation; the next one ends the program immediately.
final class Interruption: Sendable {
    let cancellation = Cancellation()
    private let caught = Lock<StopSignals.Stop?>(nil)

    /// Make it before the worker threads, so that each of them inherits the blocked signals.
    init() {
        let signals = StopSignals()
        Thread { [self] in
            let stop = signals.wait()
            caught.withLock { $0 = stop }
            cancellation.cancel()
        }.start()
    }

    /// The received signal; nil without one.
    var stop: StopSignals.Stop? { caught.withLock { $0 } }
}

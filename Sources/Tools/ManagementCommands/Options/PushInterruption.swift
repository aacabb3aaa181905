import Dispatch
import Foundation
import HearthAdmin
import HearthArguments
import HearthCalls
package import HearthConcurrency
import HearthLocalCommands
import HearthTransport
import HearthWire

/// Ends a push in an orderly way after SIGINT or SIGTERM, so that it can say how to continue. A second signal ends the program
/// immediately.
package final class PushInterruption: Sendable {
    package let cancellation = Cancellation()
    private let stop = Lock<StopSignals.Stop?>(nil)
    /// Signalled after a signal has come.
    private let flag = DispatchSemaphore(value: 0)

    /// Make it before any other thread exists, so that each thread inherits the blocked signals.
    package init() {
        let signals = StopSignals()
        Thread { [self] in
            let caught = signals.wait()
            stop.withLock { $0 = caught }
            cancellation.cancel()
            flag.signal()
        }.start()
    }

    /// Waits this many seconds, or until a signal comes.
    package func pause(_ seconds: Double) {
        if flag.wait(timeout: .now() + seconds) == .success { flag.signal() }
    }

    /// The meaning of an error. After a signal the error is printed, and the exit code is that of the signal.
    package func exitError(of error: any Error) -> any Error {
        guard let stop = stop.withLock({ $0 }) else { return error }
        Output.error(error)
        return ExitCode(stop.exitCode)
    }
}

import Dispatch
import Foundation
import HearthArguments
import HearthLocalCommands
import HearthTransport
import Synchronization

/// Lets SIGINT and SIGTERM end a push in good order, so that the user can be told how to go on. A second signal ends the
/// program at once.
final class PushInterruption: Sendable {
    let cancellation = TransportCancellation()
    private let stop = Mutex<StopSignals.Stop?>(nil)
    /// Up once a signal has come.
    private let flag = DispatchSemaphore(value: 0)

    /// To be made before any other thread exists, so that each of them inherits the blocked signals.
    init() {
        let signals = StopSignals()
        Thread { [self] in
            let caught = signals.wait()
            stop.withLock { $0 = caught }
            cancellation.cancel()
            flag.signal()
        }.start()
    }

    /// Waits so many seconds, or until a signal comes.
    func pause(_ seconds: Double) {
        if flag.wait(timeout: .now() + seconds) == .success { flag.signal() }
    }

    /// What an error means: after a signal it is told, and the exit code tells of the signal.
    func meaning(of error: any Error) -> any Error {
        guard let stop = stop.withLock({ $0 }) else { return error }
        Output.error(error)
        return ExitCode(stop.exitCode)
    }
}

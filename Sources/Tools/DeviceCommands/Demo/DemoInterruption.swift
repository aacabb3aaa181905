import Foundation
import Glibc
import HearthAdmin
import HearthArguments
import HearthConcurrency
import HearthLocalCommands

/// Ends the demo after SIGINT or SIGTERM, and leaves nothing behind.
///
/// A thread waits for the signal and kills the server, so that everything that waits for the server fails soon. The main thread
/// then removes the files, as after any other failure.
final class DemoInterruption: Sendable {
    private struct State {
        var stop: StopSignals.Stop?
        var server: Process?
    }

    private let state = Lock(State())

    /// Make it before any other thread exists, so that each thread inherits the blocked signals.
    init() {
        let signals = StopSignals()
        Thread { [self] in
            let stop = signals.wait()
            state.withLock { state in
                state.stop = stop
                if let server = state.server { Self.end(server) }
            }
        }.start()
    }

    /// Starts the server's process, unless the demo was interrupted.
    func start(_ server: Process) throws {
        try check()
        try server.run()
        let isLate = state.withLock { state in
            state.server = server
            return state.stop != nil
        }
        if isLate { Self.end(server) }
    }

    /// - Throws: the exit code of the signal, after one has come.
    func check() throws(ExitCode) {
        if let stop = state.withLock({ $0.stop }) { throw ExitCode(stop.exitCode) }
    }

    private static func end(_ server: Process) {
        if server.isRunning { kill(server.processIdentifier, SIGKILL) }
    }
}

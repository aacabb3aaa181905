import Foundation
import Glibc
import HearthAdmin
import HearthArguments
import HearthConcurrency
import HearthLocalCommands

/// A `hearth serve` of the demo's own, in another process.
final class DemoServer {
    let dataFolder: String
    /// Of its first project's owner.
    let credentials: AdminCredentials
    private let process: Process
    /// Open for as long as the server may write.
    private let output = Pipe()

    var url: String { credentials.url }
    var deviceCredentials: String { dataFolder + "/credentials/GoogleService-Info.plist" }

    /// Starts it on a free port and waits until it serves.
    init(dataFolder: String, _ interruption: DemoInterruption) throws {
        self.dataFolder = dataFolder
        process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["serve", "--data", dataFolder, "--port", "0", "--quiet"]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try interruption.start(process)
        // It greets once it serves, and has written its address into the credentials by then.
        guard !output.fileHandleForReading.availableData.isEmpty,
            let credentials = try? AdminCredentials(serviceAccountFile: Self.adminCredentials(in: dataFolder))
        else {
            process.terminate()
            throw CommandFailure("The server did not start; try `hearth serve` to see why.")
        }
        self.credentials = credentials
    }

    deinit { stop() }

    /// Ends it whatever happens.
    func stop() {
        guard process.isRunning else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Asks it to stop and expects it to.
    func stopCleanly() throws {
        process.terminate()
        process.waitUntilExit()
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            throw CommandFailure("The server did not stop cleanly (status \(process.terminationStatus)).")
        }
    }

    private static func adminCredentials(in dataFolder: String) -> String {
        dataFolder + "/credentials/admin-service-account.json"
    }
}

/// Lets SIGINT and SIGTERM end the demo without leaving anything behind.
///
/// A thread waits for the signal and kills the server, so that whatever waits for the server fails soon; the thread that
/// tells the story tidies up on its way out, as after any other failure.
final class DemoInterruption: Sendable {
    private struct State {
        var stop: StopSignals.Stop?
        var server: Process?
    }

    private let state = Lock(State())

    /// To be made before any other thread exists, so that each of them inherits the blocked signals.
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

    /// - Throws: the exit code that tells of the signal, once one has come.
    func check() throws(ExitCode) {
        if let stop = state.withLock({ $0.stop }) { throw ExitCode(stop.exitCode) }
    }

    private static func end(_ server: Process) {
        if server.isRunning { kill(server.processIdentifier, SIGKILL) }
    }
}

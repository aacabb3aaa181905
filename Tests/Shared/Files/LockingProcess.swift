import Foundation
import Testing

/// Another process that holds the lock on a file until it is told to end.
final class LockingProcess {
    private let process = Process()
    private let input = Pipe()

    /// Returns when the lock is held.
    init(_ path: String) throws {
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/flock")
        process.arguments = ["--no-fork", path, "sh", "-c", "echo locked; exec cat"]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        #expect(output.fileHandleForReading.readData(ofLength: 6) == Data("locked".utf8))
    }

    /// Lets it end by itself.
    func finish() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    deinit {
        if process.isRunning { kill() }
    }
}

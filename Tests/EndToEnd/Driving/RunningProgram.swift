import Dispatch
import Foundation
package import Glibc
import HearthTestSupport

/// What a program that ended left behind.
package struct ProcessResult {
    /// The exit code; nil when a signal ended the program.
    package var exitCode: Int32?
    package var output: String
    package var errors: String

    /// The lines on standard error that begin with `error:`.
    package var errorLines: [Substring] { errors.split(separator: "\n").filter { $0.hasPrefix("error:") } }
}

/// A program of this machine while it runs. Killed and reaped when released, so that no test leaves one behind.
package final class RunningProgram {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) { self.description = description }
    }

    private let process = Process()
    private let output = Pipe()
    private let errorFile: String
    private let folder: TemporaryFolder
    private let ended = DispatchSemaphore(value: 0)
    private var collected: [UInt8] = []

    package var id: pid_t { process.processIdentifier }
    package var isRunning: Bool { process.isRunning }

    /// What it has printed on standard error so far.
    package var errors: String { (try? String(contentsOfFile: errorFile, encoding: .utf8)) ?? "" }

    /// Starts `executable`, whose environment is this process's own with `environment` on top.
    package init(_ executable: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        folder = try TemporaryFolder()
        // A file and not a second pipe: nobody has to read it for the program to go on.
        errorFile = try folder.write([], to: "errors")
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle(forWritingAtPath: errorFile)
        process.terminationHandler = { [ended] _ in ended.signal() }
        try process.run()
    }

    deinit {
        guard process.isRunning else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    package func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// Reads standard output until `text` has come, and returns what came so far.
    package func readOutput(until text: String, seconds: Double) throws -> String {
        let deadline = Deadline(seconds: seconds)
        while true {
            let read = String(decoding: collected, as: UTF8.self)
            if read.contains(text) { return read }
            guard try readMore(until: deadline) else {
                throw Failure(description: "The program ended early. Output: \(read) Errors: \(errors)")
            }
        }
    }

    /// Waits for its end; kills it when it takes longer.
    package func waitForExit(seconds: Double) throws -> ProcessResult {
        let deadline = Deadline(seconds: seconds)
        while try readMore(until: deadline) {}
        guard ended.wait(timeout: .now() + deadline.secondsLeft) == .success else {
            throw Failure(description: "The program does not end. Errors: \(errors)")
        }
        return ProcessResult(
            exitCode: process.terminationReason == .exit ? process.terminationStatus : nil,
            output: String(decoding: collected, as: UTF8.self), errors: errors)
    }

    /// Whether more output may come.
    private func readMore(until deadline: Deadline) throws -> Bool {
        let descriptor = output.fileHandleForReading.fileDescriptor
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&request, 1, Int32(deadline.secondsLeft * 1000)) > 0 else {
            throw Failure(description: "The program takes too long. Errors: \(errors)")
        }
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = read(descriptor, &chunk, chunk.count)
        guard count > 0 else { return false }
        collected += chunk[..<count]
        return true
    }
}

/// The built `hearth` program, which lies beside the test bundle.
package enum HearthProgram {
    /// - Parameter name: `hearth`, or the program that it hands over to.
    package static func path(_ name: String = "hearth") throws -> String {
        let bundle = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let path = bundle.deletingLastPathComponent().appendingPathComponent(name).path
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw RunningProgram.Failure(
                description: "There is no program \(path). `scripts/build --build-tests` builds it.")
        }
        return path
    }

    /// Starts a shell script in which `"$0"` is the program, and `"$1"` and so on are `arguments`.
    package static func shell(_ script: String, _ arguments: String...) throws -> RunningProgram {
        try RunningProgram("/bin/sh", ["-c", script, path()] + arguments)
    }

    /// Runs `hearth` with `arguments` to its end.
    package static func run(_ arguments: [String], environment: [String: String] = [:]) throws -> ProcessResult {
        try RunningProgram(path(), arguments, environment: environment).waitForExit(seconds: 180)
    }
}

/// A moment after which a test gives up.
package struct Deadline {
    private let end: ContinuousClock.Instant

    package init(seconds: Double) { end = ContinuousClock.now + .seconds(seconds) }

    package var secondsLeft: Double {
        let left = end - ContinuousClock.now
        return max(0, Double(left.components.seconds) + Double(left.components.attoseconds) / 1e18)
    }

    /// Looks again and again until `condition` holds; false when it did not in time.
    package static func wait(
        seconds: Double = 30, everyMicroseconds pause: UInt32 = 2000, for condition: () throws -> Bool
    ) rethrows -> Bool {
        let deadline = Deadline(seconds: seconds)
        while try !condition() {
            guard deadline.secondsLeft > 0 else { return false }
            usleep(pause)
        }
        return true
    }
}

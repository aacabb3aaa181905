import Dispatch
import Foundation
import Glibc

/// A program that is running, or has run. Killed when released.
final class Program {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private static let mostSeconds = 60.0

    private let process = Process()
    private let output = Pipe()
    private let errorFile: URL
    private let folder: TemporaryFolder
    private let ended = DispatchSemaphore(value: 0)
    private var collected: [UInt8] = []

    private var text: String { String(decoding: collected, as: UTF8.self) }
    private var errors: String { (try? String(contentsOf: errorFile, encoding: .utf8)) ?? "" }

    /// Starts `executable`, whose environment is this process's own with `environment` on top.
    init(_ executable: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        folder = try TemporaryFolder()
        // A file and not a second pipe: nobody has to read it for the program to go on.
        errorFile = folder.url.appendingPathComponent("errors")
        try Data().write(to: errorFile)
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: errorFile)
        process.terminationHandler = { [ended] _ in ended.signal() }
        try process.run()
    }

    deinit {
        guard process.isRunning else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Reads standard output until `wanted` has come, and returns what came so far.
    func readOutput(until wanted: String) throws -> String {
        let end = DispatchTime.now() + Self.mostSeconds
        while !text.contains(wanted) {
            guard try readMore(until: end) else { throw failure("It ended early.") }
        }
        return text
    }

    /// Waits for its end and returns its whole output; an error unless it ended with 0.
    func readToEnd() throws -> String {
        let end = DispatchTime.now() + Self.mostSeconds
        while try readMore(until: end) {}
        guard ended.wait(timeout: end) == .success else { throw failure("It does not end.") }
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            throw failure("It ended with \(process.terminationStatus).")
        }
        return text
    }

    /// Whether more output may come.
    private func readMore(until end: DispatchTime) throws -> Bool {
        let now = DispatchTime.now()
        let milliseconds = now < end ? (end.uptimeNanoseconds - now.uptimeNanoseconds) / 1_000_000 : 0
        var request = pollfd(fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&request, 1, Int32(milliseconds)) > 0 else { throw failure("It takes too long.") }
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = read(request.fd, &chunk, chunk.count)
        guard count > 0 else { return false }
        collected += chunk[..<count]
        return true
    }

    private func failure(_ text: String) -> Failure {
        let program = process.executableURL?.lastPathComponent ?? ""
        return Failure(description: "\(program): \(text) Output: \(self.text) Errors: \(errors)")
    }
}

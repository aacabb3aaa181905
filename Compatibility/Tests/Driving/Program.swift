import Foundation

/// A program that is running, or has run. Ended when released, and after a minute at the latest.
final class Program {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let process = Process()
    private let output = Pipe()
    private let errorFile: URL
    private let folder: TemporaryFolder
    private var collected = Data()

    private var text: String { String(decoding: collected, as: UTF8.self) }
    var errors: String { (try? String(contentsOf: errorFile, encoding: .utf8)) ?? "" }

    /// Starts `executable`, whose environment is this process's own with `environment` on top.
    init(_ executable: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        folder = try TemporaryFolder()
        // A file and not a second pipe: nobody has to read it for the program to go on.
        errorFile = folder.url.appendingPathComponent("errors")
        try Data().write(to: errorFile)
        // Ends what never ends by itself, also when these tests are ended from outside.
        process.executableURL = URL(fileURLWithPath: "/usr/bin/timeout")
        process.arguments = ["--kill-after=5", "60", executable] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: errorFile)
        try process.run()
    }

    deinit {
        guard process.isRunning else { return }
        process.terminate()
        process.waitUntilExit()
    }

    /// Reads standard output until `text` has come, and returns what came so far.
    func readOutput(until wanted: String) throws -> String {
        while !text.contains(wanted) {
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else {
                throw Failure(description: "The program ended early. Output: \(text) Errors: \(errors)")
            }
            collected += more
        }
        return text
    }

    /// Waits for its end and returns its whole output; an error unless it ended with 0.
    func readToEnd() throws -> String {
        collected += try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            let status = process.terminationStatus == 124 ? "It took too long." : "Status \(process.terminationStatus)."
            throw Failure(description: "\(status) Output: \(text) Errors: \(errors)")
        }
        return text
    }
}

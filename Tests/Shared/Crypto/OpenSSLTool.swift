import Foundation

/// The `openssl` program as an independent oracle.
enum OpenSSLTool {
    struct Failure: Error {
        let arguments: [String]
        let output: String
    }

    static let path = "/usr/bin/openssl"

    static var isPresent: Bool { FileManager.default.isExecutableFile(atPath: path) }

    /// Runs `openssl` and returns what it printed.
    @discardableResult
    static func run(_ arguments: String...) throws -> String {
        try run(arguments: arguments)
    }

    @discardableResult
    static func run(arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(arguments: arguments, output: output) }
        return output
    }
}

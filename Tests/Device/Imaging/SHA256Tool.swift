import Foundation
import HearthTestSupport
import Testing

/// SHA-256 by the `sha256sum` program, an oracle that shares no code with the package.
enum SHA256Tool {
    static func hash(_ inputs: [[UInt8]]) throws -> [String] {
        let folder = try TemporaryFolder()
        let paths = try inputs.enumerated().map { index, bytes in try folder.write(bytes, to: "\(index)") }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/sha256sum")
        process.arguments = paths
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return String(decoding: text, as: UTF8.self).split(separator: "\n").map { String($0.prefix(64)) }
    }
}

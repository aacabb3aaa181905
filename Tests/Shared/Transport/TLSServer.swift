import Foundation
import HearthTestSupport

/// `openssl s_server` with a throw-away certificate of its own; answers every request with a status page.
final class TLSServer {
    struct Failure: Error {
        let output: String
    }

    static let tool = "/usr/bin/openssl"

    static var isAvailable: Bool { FileManager.default.isExecutableFile(atPath: tool) }

    let port: Int
    /// The certificate, which is its own authority.
    let caFile: String
    private let folder: TemporaryFolder
    private let process: Process

    /// - Parameter name: what the certificate is for, such as `IP:127.0.0.1`.
    init(certificateFor name: String) throws {
        folder = try TemporaryFolder()
        caFile = folder.path + "/certificate.pem"
        let key = folder.path + "/key.pem"
        let request = Self.process([
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", caFile, "-days", "2", "-subj",
            "/CN=throw-away", "-addext", "subjectAltName=\(name)",
        ])
        try request.process.run()
        let output = request.output.fileHandleForReading.readDataToEndOfFile()
        request.process.waitUntilExit()
        guard request.process.terminationStatus == 0 else {
            throw Failure(output: String(decoding: output, as: UTF8.self))
        }
        let server = Self.process(["s_server", "-accept", "127.0.0.1:0", "-cert", caFile, "-key", key, "-www"])
        try server.process.run()
        process = server.process
        port = try Self.port(announcedOn: server.output.fileHandleForReading)
    }

    var url: String { "https://127.0.0.1:\(port)/" }

    private static func process(_ arguments: [String]) -> (process: Process, output: Pipe) {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: tool)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = pipe
        return (process, pipe)
    }

    /// Reads until the server says `ACCEPT 127.0.0.1:port`.
    private static func port(announcedOn handle: FileHandle) throws -> Int {
        var output = ""
        while case let data = handle.availableData, !data.isEmpty {
            output += String(decoding: data, as: UTF8.self)
            for line in output.split(separator: "\n").dropLast(output.hasSuffix("\n") ? 0 : 1)
            where line.hasPrefix("ACCEPT") {
                if let port = line.split(separator: ":").last.flatMap({ Int($0) }) { return port }
            }
        }
        throw Failure(output: output)
    }

    deinit {
        // Not `terminate`: the program inherits the signal mask of the thread that started it, which may block SIGTERM.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}

import Foundation
import HearthConcurrency
import HearthTestSupport
import HearthTransport
import Testing

@Suite("TLS", .enabled(if: TLSServer.isAvailable, "the openssl program is absent"))
struct TLSTests {
    @Test("A stranger's certificate is refused, and accepted with its CA file")
    func caFile() throws {
        let server = try TLSServer(certificateFor: "IP:127.0.0.1")
        let error = TestClient.error(TransportRequest(url: server.url + "?token=s3cr3t"))
        #expect(error?.code == .tls)
        #expect(error?.isRetryable == false)
        #expect(error?.message.contains("certificate") == true)
        #expect(error?.message.contains("HEARTH_CA_FILE") == true)
        #expect(error?.message.contains("s3cr3t") == false)
        let response = try TestClient.make(caFile: server.caFile).send(TransportRequest(url: server.url))
        #expect(response.status == 200)
        #expect(!response.body.isEmpty)
    }

    @Test("A trusted certificate for another name is refused")
    func wrongName() throws {
        let server = try TLSServer(certificateFor: "DNS:other.example")
        let client = TestClient.make(caFile: server.caFile)
        #expect(TestClient.error(TransportRequest(url: server.url), by: client)?.code == .tls)
    }

    @Test("A CA file that is absent or no certificate is refused")
    func badCAFile() throws {
        let server = try TLSServer(certificateFor: "IP:127.0.0.1")
        let folder = try TemporaryFolder()
        let nonsense = try folder.write("no certificate".utf8, to: "ca.pem")
        for path in [folder.path + "/none.pem", nonsense] {
            let error = TestClient.error(TransportRequest(url: server.url), by: TestClient.make(caFile: path))
            #expect(error?.code == .tls)
        }
    }

    @Test("A server that hangs up during an upload does not kill the process")
    func hangUpDuringUpload() throws {
        let server = try TLSServer(certificateFor: "IP:127.0.0.1")
        let client = TestClient.make(caFile: server.caFile)
        let body = [UInt8](repeating: 65, count: 20_000_000)
        // The page's server answers after the headers and closes without reading the body.
        let request = TransportRequest(url: server.url, headers: [("Expect", "")], body: .bytes(body))
        let error = TestClient.error(request, by: client)
        #expect(error == nil || error?.code == .interrupted)
        #expect(try client.send(TransportRequest(url: server.url)).status == 200)
    }

    /// A handler of `exit` that is registered first runs last, after OpenSSL's own.
    @Test("A download on TLS still works while the process ends")
    func transferDuringExit() async {
        await #expect(processExitsWith: .exitCode(7)) {
            let server = try TLSServer(certificateFor: "IP:127.0.0.1")
            ExitTransfer.expected.withLock { $0 = (server.url, server.caFile) }
            atexit { ExitTransfer.run() }
            _ = try TestClient.make(caFile: server.caFile).send(TransportRequest(url: server.url))
            exit(1)
        }
    }

    @Test("Plain HTTP on a TLS address is an error of TLS")
    func plainServer() throws {
        let server = try RawServer { connection in
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            connection.waitForClose()
        }
        let error = TestClient.error(TransportRequest(url: "https://127.0.0.1:\(server.port)/"))
        #expect(error?.code == .tls && error?.message.contains("use http://") == true, "\(error?.message ?? "")")
    }
}

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

/// What the handler of `exit` fetches: it is a C function, which can capture nothing.
private enum ExitTransfer {
    static let expected = Lock<(url: String, caFile: String)?>(nil)

    /// Ends the process with 7 when the server answers.
    static func run() {
        let response = expected.withLock { $0 }.map { expected in
            try? TestClient.make(caFile: expected.caFile).send(TransportRequest(url: expected.url))
        }
        _exit(response??.status == 200 ? 7 : 1)
    }
}

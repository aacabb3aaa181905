import Dispatch
import Foundation
import HearthHTTP
import HearthTestSupport
import Testing

/// A foreign client, over plain HTTP and over TLS. One test at a time, but beside ``ServerSuites``: these wait for programs.
@Suite(.serialized) struct CurlTests {
    private let folder: TemporaryFolder
    private let path: String
    private let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

    init() throws {
        folder = try TemporaryFolder()
        path = try folder.write(bytes, to: "file")
    }

    /// A throw-away certificate.
    private func certificate(_ name: String = "localhost") throws -> HTTPServerConfiguration.TLS {
        let (key, certificate) = (folder.path + "/key.pem", folder.path + "/certificate.pem")
        let result = try Program.run(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/CN=\(name)", "-keyout", key, "-out", certificate,
            ])
        #expect(result.status == 0)
        return HTTPServerConfiguration.TLS(
            certificatePEM: try String(contentsOfFile: certificate, encoding: .utf8),
            privateKeyPEM: try String(contentsOfFile: key, encoding: .utf8))
    }

    private func server(isTLS: Bool) throws -> TestServer {
        let file = try #require(OwnedDescriptor(readingFrom: path))
        let events = EventRecorder<RecordingReceiver.Event>()
        return try TestServer(tls: isTLS ? certificate() : nil) { head in
            switch head.path {
            case "/file": .answer(.file(file, length: file.regularFileLength ?? 0, for: head))
            case "/refuse": .answer(.text("who are you", status: 401))
            case "/stream": .buffered(limitBytes: 0) { _, _ in .stream(Response(status: 200), Self.count) }
            case "/small": .streaming(RecordingReceiver(events, limitBytes: 100_000))
            default: .streaming(RecordingReceiver(events))
            }
        }
    }

    /// Each piece when the thread of the one before has gone.
    private static func count(_ stream: ResponseStream) { count(1, stream) }

    private static func count(_ number: Int, _ stream: ResponseStream) {
        DispatchQueue.global().async {
            stream.write(Array("\(number),".utf8))
            number == 20 ? stream.end() : count(number + 1, stream)
        }
    }

    /// Exit status of curl, and the status code it saw.
    private func curl(_ server: TestServer, isTLS: Bool, _ path: String, _ arguments: String...) throws -> String {
        let url = "\(isTLS ? "https" : "http")://127.0.0.1:\(server.port)\(path)"
        let common = ["-k", "-s", "--max-time", "20", "-w", "%{http_code}"]
        let result = try Program.run("curl", common + arguments + [url])
        return "\(result.status) \(result.output)"
    }

    @Test func aTLSHandshakeThatDripsEnds() throws {
        let limits = ServerLimits.forTests.with { $0.headSeconds = 0.5 }
        let server = try TestServer(tls: certificate(), limits: limits) { _ in .answer(.text("ok")) }
        let client = try server.connect()
        // The head of a greeting of 512 bytes, which never comes whole.
        try client.send([0x16, 0x03, 0x01, 0x02, 0x00])
        client.sendSlowly(0)
        client.skipToEnd()
        #expect(client.isClosedByServer())
        #expect(server.log.next()?.endReason == .slowHead)
    }

    @Test(arguments: [false, true])
    func downloads(isTLS: Bool) throws {
        let server = try server(isTLS: isTLS)
        let copy = folder.path + "/copy"
        #expect(try curl(server, isTLS: isTLS, "/file", "-o", copy) == "0 200")
        #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == Data(bytes))
        #expect(try curl(server, isTLS: isTLS, "/file", "-o", copy, "-r", "1000-1999") == "0 206")
        #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == Data(bytes[1000..<2000]))
    }

    @Test(arguments: [false, true])
    func streams(isTLS: Bool) throws {
        let server = try server(isTLS: isTLS)
        let numbers = (1...20).map { "\($0)," }.joined()
        #expect(try curl(server, isTLS: isTLS, "/stream", "-N") == "0 \(numbers)200")
        #expect(try curl(server, isTLS: isTLS, "/stream", "-N", "--http1.0") == "0 \(numbers)200")
    }

    @Test(arguments: [false, true])
    func uploads(isTLS: Bool) throws {
        let server = try server(isTLS: isTLS)
        #expect(try curl(server, isTLS: isTLS, "/up", "-T", path) == "0 3000000200")
        let chunked = "Transfer-Encoding: chunked"
        #expect(try curl(server, isTLS: isTLS, "/up", "-T", path, "-H", chunked) == "0 3000000200")
    }

    @Test(arguments: [false, true])
    func refusedUploads(isTLS: Bool) throws {
        let server = try server(isTLS: isTLS)
        #expect(try curl(server, isTLS: isTLS, "/refuse", "-T", path, "-H", "Expect:") == "0 who are you401")
        #expect(try curl(server, isTLS: isTLS, "/small", "-o", "/dev/null", "-T", path) == "0 413")
        let chunked = "Transfer-Encoding: chunked"
        #expect(try curl(server, isTLS: isTLS, "/small", "-o", "/dev/null", "-T", path, "-H", chunked) == "0 413")
    }

    /// What a client can agree on with the server that insists on one version, suite or kind of key exchange.
    private func handshake(_ server: TestServer, _ arguments: String...) throws -> Bool {
        let common = ["s_client", "-connect", "127.0.0.1:\(server.port)"]
        return try Program.run("openssl", common + arguments).status == 0
    }

    private func minimal(_ version: TLSVersion) throws -> TestServer {
        var tls = try certificate()
        tls.minimumVersion = version
        return try TestServer(tls: tls) { _ in .answer(.text("x")) }
    }

    @Test func onlyNewVersionsAndKeysThatAreForgottenAreSpoken() throws {
        let server = try minimal(.v1_2)
        #expect(try handshake(server, "-tls1_3") && handshake(server, "-tls1_2"))
        #expect(try handshake(server, "-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-GCM-SHA256"))
        for old in ["-tls1", "-tls1_1"] {
            #expect(try !handshake(server, old, "-cipher", "ALL:@SECLEVEL=0"), "\(old)")
        }
        for suite in ["AES128-SHA", "AES128-GCM-SHA256", "ECDHE-ECDSA-AES128-SHA", "DHE-RSA-AES128-GCM-SHA256"] {
            #expect(try !handshake(server, "-tls1_2", "-cipher", suite + ":@SECLEVEL=0"), "\(suite)")
        }
    }

    @Test func aServerMayInsistOnTheNewestVersion() throws {
        let server = try minimal(.v1_3)
        #expect(try handshake(server, "-tls1_3"))
        #expect(try !handshake(server, "-tls1_2"))
    }

    @Test func anotherCertificateIsForNewConnections() throws {
        let server = try server(isTLS: true)
        func subject() throws -> String {
            let shown = try Program.run(
                "curl", ["-k", "-s", "-v", "--stderr", "-", "https://127.0.0.1:\(server.port)/refuse"])
            return shown.output.split(separator: "\n").first { $0.contains("subject:") }.map(String.init) ?? ""
        }
        #expect(try subject().contains("CN=localhost"))
        try server.server.replaceTLS(with: certificate("renewed"))
        #expect(try subject().contains("CN=renewed"))
        let other = try certificate()
        let pair = try HTTPServerConfiguration.TLS(
            certificatePEM: other.certificatePEM, privateKeyPEM: certificate().privateKeyPEM)
        #expect(throws: HTTPServerError.self) { try server.server.replaceTLS(with: pair) }
        #expect(try subject().contains("CN=renewed"), "what cannot be used changes nothing")
        let plain = try self.server(isTLS: false)
        #expect(throws: HTTPServerError.self) { try plain.server.replaceTLS(with: other) }
    }

    /// At once: left to itself, the TLS library waits for more.
    @Test(arguments: ["GET / HTTP/1.1\r\nHost: h\r\n\r\n", "P"])
    func aPlainRequestToATLSPortIsToldSo(request: String) throws {
        let server = try server(isTLS: true)
        let client = try server.connect()
        try client.send(request)
        let reply = try client.reply()
        #expect(reply.status == 400 && reply.text.contains("use https://"))
        #expect(client.isClosedByServer())
        #expect(try curl(server, isTLS: true, "/refuse") == "0 who are you401")
    }
}

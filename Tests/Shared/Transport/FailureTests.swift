import Foundation
import HearthTestSupport
import HearthTransport
import Testing

@Suite("Failures") struct FailureTests {
    struct Refused: Error {}

    @Test("Nobody listens")
    func connectionRefused() throws {
        let error = TestClient.error(TransportRequest(url: "http://127.0.0.1:\(try RawServer.closedPort())/"))
        #expect(error?.code == .couldNotConnect)
        #expect(error?.isRetryable == true)
        #expect(error?.message.contains("127.0.0.1") == true)
    }

    @Test("No such host")
    func unknownHost() {
        let error = TestClient.error(TransportRequest(url: "http://no-such-host.invalid/"))
        #expect(error?.code == .couldNotResolve)
        #expect(error?.message.contains("no-such-host.invalid") == true)
    }

    @Test(
        "A connection that breaks early is an interruption",
        arguments: [
            "", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n",
        ])
    func halfAnswer(bytes: String) throws {
        let server = try RawServer { connection in
            _ = connection.readRequest()
            connection.write(bytes)
        }
        let error = TestClient.error(TransportRequest(url: server.url()))
        #expect(error?.code == .interrupted)
        #expect(error?.isRetryable == true)
    }

    @Test(
        "Something that is not HTTP, or stops before it can be told",
        arguments: ["SSH-2.0-OpenSSH_9\r\n", "<html>hello</html>", "HTTP/1.1 200 OK\r\nContent-Le"])
    func otherProtocol(bytes: String) throws {
        let server = try RawServer { connection in
            _ = connection.readRequest()
            connection.write(bytes)
        }
        let error = TestClient.error(TransportRequest(url: server.url()))
        #expect(error?.code == .badResponse && error?.message.hasSuffix("use https://") == true)
    }

    @Test("Errors of the caller's closures stop the transfer and come back")
    func throwingClosures() throws {
        let server = try RawServer(always: { _ in TestClient.answer("hello") })
        let request = TransportRequest(url: server.url())
        let fromHead = TestClient.error(request, onHead: { _ in throw Refused() })
        #expect(fromHead?.code == .aborted && fromHead?.cause is Refused)
        let fromBody = TestClient.error(request, onBody: { _ in throw Refused() })
        #expect(fromBody?.code == .aborted && fromBody?.cause is Refused)
        #expect(fromBody?.isRetryable == false)
    }

    @Test("After a failure the same client works on")
    func recovery() throws {
        let client = TestClient.make()
        let server = try RawServer(always: { _ in TestClient.answer("hello") })
        let request = TransportRequest(url: server.url())
        #expect(TestClient.error(request, by: client, onBody: { _ in throw Refused() })?.code == .aborted)
        #expect(try client.send(request).body == Array("hello".utf8))
    }

    @Test("No error text shows a query, a path, a header or a redirect's token")
    func errorsKeepSecrets() throws {
        let secret = "s3cr3t-t0k3n"
        let server = try RawServer { connection in
            guard let request = connection.readRequest() else { return }
            if request.line.contains("/redirect") {
                connection.write(
                    TestClient.answer("", status: "302 Found", headers: "Location: ftp://x/\(secret)?\(secret)\r\n"))
            } else if request.line.contains("/large") {
                connection.write(TestClient.answer(String(repeating: secret, count: 100)))
            }
        }
        let closed = try RawServer.closedPort()
        let urls = [
            server.url("/\(secret)?token=\(secret)"), server.url("/redirect?\(secret)"), server.url("/large?\(secret)"),
            "http://127.0.0.1:\(closed)/\(secret)?token=\(secret)", "http://no-such-host.invalid/?token=\(secret)",
            "ftp://127.0.0.1/\(secret)", "http://user:\(secret)@127.0.0.1/", "http://127.0.0.1:99999/\(secret)",
            "https://127.0.0.1:\(server.port)/\(secret)", "http:///\(secret)", "http://a b/\(secret)",
        ]
        for url in urls {
            let request = TransportRequest(
                url: url, headers: [("Authorization", "Bearer \(secret)")], connectTimeoutSeconds: 0.5,
                maxResponseBytes: 100,
                redirects: .follow(max: 3))
            let error = try #require(TestClient.error(request), "\(url)")
            #expect(!"\(error)".contains(secret), "\(url)")
            #expect(!error.message.contains("\n"))
        }
        let badHeader = TestClient.error(TransportRequest(url: server.url(), headers: [("X-Key", "\(secret)\n")]))
        #expect(badHeader.map { "\($0)".contains(secret) } == false)
    }
}

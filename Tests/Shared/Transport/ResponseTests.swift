import Foundation
import HearthTestSupport
import HearthTransport
import Testing

@Suite("Answers") struct ResponseTests {
    let client = TestClient.make()

    @Test("Status, headers and body arrive; names are looked up in any case")
    func plainAnswer() throws {
        let server = try RawServer { connection in
            _ = connection.readRequest()
            connection.write(TestClient.answer("hello", headers: "ETag: abc\r\nX-Two: 1\r\nx-two:2\r\nX-Empty:\r\n"))
        }
        let response = try client.send(TransportRequest(url: server.url()))
        #expect(response.status == 200)
        #expect(response.body == Array("hello".utf8))
        #expect(response.headers["etag"] == "abc" && response.headers["ETAG"] == "abc")
        #expect(response.headers.all("X-Two") == ["1", "2"])
        #expect(response.headers["X-Empty"] == "")
        #expect(response.headers["X-None"] == nil)
    }

    @Test("HTTP errors are answers", arguments: [304, 400, 401, 404, 429, 500, 503])
    func httpErrors(status: Int) throws {
        let server = try RawServer(always: { _ in TestClient.answer(status == 304 ? "" : "no", status: "\(status) X") })
        #expect(try client.send(TransportRequest(url: server.url())).status == status)
    }

    @Test("Method, path, query and headers go out as given")
    func outgoing() throws {
        let server = try RawServer(always: { TestClient.answer($0.head) })
        let request = TransportRequest(
            method: "DELETE", url: server.url("/a%20b?x=1&y=%2F#fragment"),
            headers: [("X-Goog-Api-Key", "A1"), ("X-Blank", ""), ("X-Text", "a: b; ü")])
        let lines = String(decoding: try client.send(request).body, as: UTF8.self).components(separatedBy: "\r\n")
        #expect(lines[0] == "DELETE /a%20b?x=1&y=%2F HTTP/1.1")
        #expect(lines.contains("X-Goog-Api-Key: A1"))
        #expect(lines.contains("X-Blank:"))
        #expect(lines.contains("X-Text: a: b; ü"))
        #expect(lines.contains("User-Agent: hearth-tests"))
    }

    @Test("A chunked answer is put together, and its trailers are no headers")
    func chunked() throws {
        let server = try RawServer { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            connection.write("3\r\nabc\r\n4;x=y\r\ndefg\r\n0\r\nX-Late: 1\r\n\r\n")
        }
        let response = try client.send(TransportRequest(url: server.url()))
        #expect(response.body == Array("abcdefg".utf8))
        #expect(response.headers["X-Late"] == nil)
    }

    @Test("Interim answers are skipped")
    func interimAnswers() throws {
        let server = try RawServer { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 103 Early Hints\r\nX-Early: 1\r\n\r\n" + TestClient.answer("late"))
        }
        var heads: [Int] = []
        let response = try client.send(
            TransportRequest(url: server.url()), onHead: { heads.append($0.status) }, onBody: nil)
        #expect(heads == [200])
        #expect(response.headers["X-Early"] == nil)
        #expect(response.body == Array("late".utf8))
    }

    @Test("HEAD has a length but no body")
    func headRequest() throws {
        let server = try RawServer { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n")
        }
        let response = try client.send(TransportRequest(method: "HEAD", url: server.url(), maxResponseBytes: 10))
        #expect(response.headers["Content-Length"] == "99999999")
        #expect(response.body.isEmpty)
    }

    @Test("A streamed body goes to the closure, after the head, and is not kept")
    func streaming() throws {
        let sent = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let server = try RawServer { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(sent.count)\r\n\r\n")
            connection.write(sent)
        }
        var events: [String] = []
        var received: [UInt8] = []
        let response = try client.send(
            TransportRequest(url: server.url()), onHead: { events.append("head \($0.status)") },
            onBody: {
                events.append("body")
                received.append(contentsOf: $0)
            })
        #expect(response.body.isEmpty)
        #expect(received == sent)
        #expect(events.first == "head 200" && events.dropFirst().allSatisfy { $0 == "body" })
    }

    @Test("Connections are kept for the next request, but POST gets a new one")
    func connectionReuse() throws {
        let server = try RawServer(always: { _ in TestClient.answer("x") })
        for _ in 0..<3 {
            _ = try client.send(TransportRequest(url: server.url()))
        }
        #expect(server.connectionCount == 1)
        _ = try client.send(TransportRequest(method: "POST", url: server.url()))
        #expect(server.connectionCount == 2)
    }

    @Test("A proxy is asked for the whole address")
    func proxy() throws {
        let proxy = try RawServer(always: { TestClient.answer($0.line) })
        let client = CurlTransport(configuration: .init(proxy: .url(proxy.url())))
        let response = try client.send(TransportRequest(url: "http://models.invalid/m?x=1"))
        #expect(String(decoding: response.body, as: UTF8.self) == "GET http://models.invalid/m?x=1 HTTP/1.1")
    }

    @Test("Many threads at once each get their own answers")
    func manyAtOnce() throws {
        let server = try RawServer(always: { TestClient.answer($0.line) })
        let client = client
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for round in 0..<10 {
                let answer = try? client.send(TransportRequest(url: server.url("/\(thread)/\(round)")))
                #expect(answer?.body == Array("GET /\(thread)/\(round) HTTP/1.1".utf8))
            }
        }
    }

    @Test("The async variant answers too, many at once")
    func asyncManyAtOnce() async throws {
        let server = try RawServer(always: { TestClient.answer($0.line) })
        let client = client
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for thread in 0..<8 {
                group.addTask {
                    for round in 0..<10 {
                        let response = try await client.response(
                            to: TransportRequest(url: server.url("/\(thread)/\(round)")))
                        guard response.body == Array("GET /\(thread)/\(round) HTTP/1.1".utf8) else { return false }
                    }
                    return true
                }
            }
            for try await isRight in group {
                #expect(isRight)
            }
        }
    }
}

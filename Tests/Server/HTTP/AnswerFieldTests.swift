import HearthHTTP
import Testing

extension ServerSuites {
    /// Fields that answers have beside those of their makers.
    struct AnswerFieldTests {
        private static let encoded = Response.text("made ahead").forManyRequests

        @Test func everyAnswerForbidsGuessesAtItsType() throws {
            let server = try TestServer(limits: .forTests.with { $0.bodyBytes = 4 }) { head in
                switch head.path {
                case "/ahead": .answer(Self.encoded)
                case "/stream": .buffered(limitBytes: 9) { _, _ in .stream(Response(status: 200)) { $0.end() } }
                case "/body": .buffered(limitBytes: 4) { _, _ in .respond(.text("ok")) }
                default: .answer(.text("ok"))
                }
            }
            for (path, body) in [("/", ""), ("/ahead", ""), ("/stream", ""), ("/body", "12345")] {
                let client = try server.connect()
                let length = body.isEmpty ? "" : "Content-Length: \(body.count)\r\n"
                let reply = try client.exchange(
                    "\(body.isEmpty ? "GET" : "POST") \(path) HTTP/1.1\r\nHost: h\r\n\(length)\r\n\(body)")
                #expect(reply.headers["x-content-type-options"] == "nosniff", "\(path)")
            }
            // While the body still comes, the answer goes past the library.
            let client = try server.connect()
            let reply = try client.exchange(
                "POST /body HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n")
            #expect(reply.status == 413 && reply.headers["x-content-type-options"] == "nosniff")
            server.server.stop()
        }

        @Test func whatWasNotedComesWithEveryAnswer() throws {
            let server = try TestServer { head in
                if head.headers["X-Ask"] != nil { head.notes.answerFields = ["X-Noted": "1"] }
                switch head.path {
                case "/ahead": return .answer(Self.encoded)
                case "/stream":
                    return .buffered(limitBytes: 9) { _, _ in .stream(Response(status: 200)) { $0.end() } }
                case "/later":
                    return .buffered(limitBytes: 4) { _, _ in .deferred { $0.resolve(with: .text("later")) } }
                case "/lost": return .buffered(limitBytes: 4) { _, _ in .deferred { _ in } }
                default: return .buffered(limitBytes: 4) { _, _ in .respond(.text("ok")) }
                }
            }
            for path in ["/", "/ahead", "/stream", "/later", "/lost"] {
                let asked = try server.connect().exchange("GET \(path) HTTP/1.1\r\nHost: h\r\nX-Ask: 1\r\n\r\n")
                #expect(asked.headers["x-noted"] == "1", "\(path)")
                let plain = try server.connect().exchange("GET \(path) HTTP/1.1\r\nHost: h\r\n\r\n")
                #expect(plain.headers["x-noted"] == nil, "\(path)")
            }
            let refused = try server.connect().exchange(
                "POST / HTTP/1.1\r\nHost: h\r\nX-Ask: 1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n")
            #expect(refused.status == 413 && refused.headers["x-noted"] == "1")
            server.server.stop()
        }
    }
}

import Dispatch
import HearthHTTP
import Testing

extension ServerSuites {
    /// An answer that is encoded once for many requests.
    struct RepeatedResponseTests {
        private static let answer = Response.text("the same for all").forManyRequests

        @Test func allConnectionsGetItAtOnce() throws {
            let server = try TestServer { _ in .answer(Self.answer) }
            let (port, right) = (server.port, Journal<Int>())
            DispatchQueue.concurrentPerform(iterations: 8) { number in
                guard let client = try? RawClient(port: port) else { return }
                for _ in 1...50 {
                    guard let reply = try? client.exchange("GET / HTTP/1.1\r\nHost: h\r\n\r\n"),
                        reply.text == "the same for all"
                    else { return }
                    right.add(number)
                }
            }
            #expect(right.entries.count == 400)
            server.server.stop()
        }

        @Test func aHeadRequestGetsItsHeadAlone() throws {
            let server = try TestServer { _ in .answer(Self.answer) }
            let client = try server.connect()
            let head = try client.exchange("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n", toHead: true)
            #expect(head.headers["content-length"] == "16")
            #expect(try client.exchange("GET / HTTP/1.1\r\nHost: h\r\n\r\n").text == "the same for all")
        }

        @Test func aCopyThatIsChangedIsSentAsItIsNow() throws {
            let server = try TestServer { head in
                var copy = Self.answer
                switch head.path {
                case "/status": copy.status = 202
                case "/header": copy.headers["X-Mark"] = "here"
                case "/body": copy.body = .bytes(Array("another".utf8))
                default: break
                }
                return .answer(copy)
            }
            let client = try server.connect()
            #expect(try client.exchange("GET /status HTTP/1.1\r\nHost: h\r\n\r\n").status == 202)
            #expect(try client.exchange("GET /header HTTP/1.1\r\nHost: h\r\n\r\n").headers["x-mark"] == "here")
            #expect(try client.exchange("GET /body HTTP/1.1\r\nHost: h\r\n\r\n").text == "another")
            let plain = try client.exchange("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(plain.status == 200)
            #expect(plain.headers["x-mark"] == nil)
            #expect(plain.text == "the same for all")
        }
    }
}

import HearthHTTP
import Testing

extension ServerSuites {
    struct ExchangeTests {
        private static let echo: @Sendable (RequestHead) -> RequestPlan = { head in
            .buffered(limitBytes: 100) { head, body in
                .respond(.text("\(head.method) \(head.path) \(String(decoding: body, as: UTF8.self))"))
            }
        }

        @Test func aConnectionServesOneRequestAfterAnother() throws {
            let server = try TestServer(plan: Self.echo)
            let client = try server.connect()
            for number in 1...3 {
                let reply = try client.exchange("GET /\(number) HTTP/1.1\r\nHost: h\r\n\r\n")
                #expect(reply.status == 200)
                #expect(reply.text == "GET /\(number) ")
                #expect(reply.headers["connection"] == nil)
            }
        }

        @Test func immediateAnswersKeepTheConnectionToo() throws {
            let server = try TestServer { _ in .answer(Response(status: 204)) }
            let client = try server.connect()
            for _ in 1...3 { #expect(try client.exchange("GET / HTTP/1.1\r\nHost: h\r\n\r\n").status == 204) }
        }

        @Test func pipelinedRequestsAreAnsweredInOrder() throws {
            let server = try TestServer(plan: Self.echo)
            let client = try server.connect()
            try client.send(
                "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\noneGET /b HTTP/1.1\r\nHost: h\r\n\r\n"
                    + "POST /c HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nthree\r\n0\r\n\r\n"
                    + "GET /d HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try client.reply().text == "POST /a one")
            #expect(try client.reply().text == "GET /b ")
            #expect(try client.reply().text == "POST /c three")
            #expect(try client.reply().text == "GET /d ")
        }

        @Test func aPostIsAnsweredAfterItsBody() throws {
            let server = try TestServer(plan: Self.echo)
            let client = try server.connect()
            try client.send("POST /p HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nhello")
            try client.send("world")
            #expect(try client.reply().text == "POST /p helloworld")
            #expect(try client.exchange("GET /next HTTP/1.1\r\nHost: h\r\n\r\n").status == 200)
        }

        @Test func headHasTheLengthButNoBody() throws {
            let server = try TestServer { _ in .answer(.text("twelve bytes")) }
            let client = try server.connect()
            let reply = try client.exchange("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n", toHead: true)
            #expect(reply.headers["content-length"] == "12")
            #expect(try client.exchange("GET / HTTP/1.1\r\nHost: h\r\n\r\n").text == "twelve bytes")
        }

        @Test func theHandlerSeesTheRequest() throws {
            let seen = EventRecorder<RequestHead>()
            let server = try TestServer { head in
                seen.add(head)
                return .answer(.text("ok"))
            }
            let client = try server.connect()
            _ = try client.exchange(
                "GET /a%20b?x=1 HTTP/1.1\r\nHost: localhost\r\nX-Two: a\r\nx-two:  b \r\nCookie: c=d\r\n\r\n")
            let head = try #require(seen.next())
            #expect(head.segments == ["a b"])
            #expect(head.query.first("x") == "1")
            #expect(head.headers.values("X-Two") == ["a", "b"])
            #expect(head.headers["cookie"] == "c=d")
            #expect(head.remoteAddress == "127.0.0.1")
            #expect(head.isLoopback)
            #expect(head.contentLength == nil)
        }

        /// A proxy and the server could each take another one of them (RFC 9112, 3.2).
        @Test(arguments: ["Host: h\r\nHost: other", "Host: h\r\nAccept: */*\r\nhOST: h", "Host: h\r\nHost:"])
        func aRequestForSeveralHostsIsRefused(fields: String) throws {
            let seen = EventRecorder<RequestHead>()
            let server = try TestServer { head in
                seen.add(head)
                return .answer(.text("ok"))
            }
            #expect(try server.connect().exchange("GET / HTTP/1.1\r\n\(fields)\r\n\r\n").status == 400)
            #expect(seen.entries.isEmpty)
        }

        @Test func ipv6LoopbackIsServed() throws {
            let seen = EventRecorder<RequestHead>()
            let server = try TestServer(address: "::1") { head in
                seen.add(head)
                return .answer(.text("six"))
            }
            #expect(try server.connect(isIPv6: true).exchange("GET / HTTP/1.1\r\nHost: h\r\n\r\n").text == "six")
            #expect(seen.next()?.remoteAddress == "::1")
        }

        @Test func anyAddressServesBothFamilies() throws {
            let seen = EventRecorder<RequestHead>()
            let server = try TestServer(address: "::") { head in
                seen.add(head)
                return .answer(.text("both"))
            }
            #expect(try server.connect().exchange("GET / HTTP/1.1\r\nHost: h\r\n\r\n").text == "both")
            #expect(try server.connect(isIPv6: true).exchange("GET / HTTP/1.1\r\nHost: h\r\n\r\n").text == "both")
            #expect(seen.next()?.remoteAddress == "127.0.0.1")
        }

        @Test func textFromAPeerCannotAddHeaderFields() throws {
            let server = try TestServer { head in
                var response = Response(status: 302)
                response.headers["Location"] = head.query.first("to")
                response.headers["Content-Length"] = "999"
                response.headers["Transfer-Encoding"] = "chunked"
                response.headers["X\r\nY"] = "z"
                return .answer(response)
            }
            let client = try server.connect()
            let reply = try client.exchange(
                "GET /?to=%2Fa%0D%0ASet-Cookie:%20x=1%0D%0A%0D%0A<html> HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(reply.status == 302)
            #expect(reply.headers["set-cookie"] == nil)
            #expect(reply.headers["location"] == "/a  Set-Cookie: x=1    <html>")
            #expect(reply.headers["content-length"] == "0")
            #expect(reply.headers["transfer-encoding"] == nil)
        }

        @Test(arguments: [0, 100, 199, 600, 1000, -1, Int.max])
        func impossibleStatusesBecomeServerErrors(status: Int) throws {
            let server = try TestServer { _ in .answer(Response(status: status)) }
            #expect(try server.connect().exchange("GET / HTTP/1.1\r\nHost: h\r\n\r\n").status == 500)
        }

        @Test(arguments: ["/%00", "/%zz", "/a/../b", "/%2e%2e/x"])
        func hostileTargetsNeverReachTheHandler(target: String) throws {
            let seen = EventRecorder<Int>()
            let server = try TestServer { _ in
                seen.add(1)
                return .answer(.text("reached"))
            }
            let reply = try server.connect().exchange("GET \(target) HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(reply.status == 400)
            #expect(seen.entries.isEmpty)
        }

        @Test(arguments: [
            "Content-Length: 5\r\nContent-Length: 5\r\n", "Content-Length: 5\r\nContent-Length: 6\r\n",
            "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "Content-Length: five\r\n",
            "Content-Length: -5\r\n", "Content-Length: 99999999999999999999\r\n", "Transfer-Encoding: gzip\r\n",
            "Content-Length : 5\r\n", "X\u{1}: y\r\n", "Transfer-Encoding: chunked \r\n",
        ])
        func ambiguousBodiesAreRefusedAndTheConnectionEnds(fields: String) throws {
            let seen = EventRecorder<Int>()
            let server = try TestServer { _ in
                seen.add(1)
                return .answer(.text("reached"))
            }
            let client = try server.connect()
            let reply = try client.exchange("POST / HTTP/1.1\r\nHost: h\r\n\(fields)\r\nhello")
            #expect([400, 413, 501].contains(reply.status))
            client.skipToEnd()
            #expect(client.isClosedByServer())
            #expect(seen.entries.isEmpty)
        }

        @Test(arguments: [
            "\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", "\u{0}\u{1}\u{2}\r\n\r\n", "GET / HTTP/9.9\r\n\r\n",
        ])
        func garbageDoesNotStopTheServer(bytes: String) throws {
            let server = try TestServer { _ in .answer(.text("ok")) }
            let client = try server.connect()
            try client.send(bytes)
            #expect(try server.connect().exchange("GET / HTTP/1.1\r\nHost: h\r\n\r\n").text == "ok")
        }
    }
}

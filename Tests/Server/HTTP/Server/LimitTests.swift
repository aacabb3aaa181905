import HearthHTTP
import Testing

extension ServerSuites {
    struct LimitTests {
        private static let request = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"

        private func server(_ change: (inout ServerLimits) -> Void) throws -> TestServer {
            try TestServer(limits: .forTests.with(change)) { _ in .answer(.text("ok")) }
        }

        @Test func headerBytes() throws {
            let server = try server { $0.headerBytes = 1000 }
            let frame = "GET / HTTP/1.1\r\nHost: h\r\nX: \r\n\r\n".utf8.count
            func request(_ size: Int) -> String {
                "GET / HTTP/1.1\r\nHost: h\r\nX: \(String(repeating: "y", count: size - frame))\r\n\r\n"
            }
            #expect(try server.connect().exchange(request(1000)).status == 200)
            #expect(try server.connect().exchange(request(1001)).status == 431)
            #expect([413, 414, 431].contains(try server.connect().exchange(request(100_000)).status))
        }

        @Test func requestLinesThatFillTheBuffer() throws {
            let server = try server { $0.headerBytes = 1000 }
            let target = String(repeating: "/a", count: 60_000)
            let reply = try server.connect().exchange("GET \(target) HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect([414, 431].contains(reply.status))
        }

        @Test func headerFields() throws {
            let server = try server { $0.headerFields = 10 }
            func request(_ fields: Int) -> String {
                "GET / HTTP/1.1\r\nHost: h\r\n" + String(repeating: "X: y\r\n", count: fields - 1) + "\r\n"
            }
            #expect(try server.connect().exchange(request(10)).status == 200)
            #expect(try server.connect().exchange(request(11)).status == 431)
        }

        @Test func theLargestHeaderFitsInTheMemoryThatAConnectionHas() throws {
            let limits = ServerLimits()
            let server = try server { _ in }
            let frame = "GET / HTTP/1.1\r\nHost: h\r\nCookie: a=\r\n\r\n".utf8.count
            let fields = String(repeating: "X: y\r\n", count: limits.headerFields - 2)
            let cookie = String(repeating: "b", count: limits.headerBytes - frame - fields.utf8.count)
            let request = "GET / HTTP/1.1\r\nHost: h\r\nCookie: a=\(cookie)\r\n\(fields)\r\n"
            let client = try server.connect()
            #expect(try client.exchange(request).status == 200)
            #expect(try client.exchange(request).status == 200)
        }

        @Test func manyQueryItems() throws {
            let server = try server { $0.headerBytes = 32 * 1024 }
            let query = String(repeating: "a&", count: 15_000)
            #expect(try server.connect().exchange("GET /?\(query) HTTP/1.1\r\nHost: h\r\n\r\n").status == 200)
        }

        @Test(arguments: [
            ("X: y\r\n", 5000), ("Cookie: a=b\r\n", 2000),
            ("Cookie: " + String(repeating: "a=b;", count: 7000) + "\r\n", 1),
        ])
        func fieldsThatFillTheMemoryAreRefused(fields: String, count: Int) throws {
            let server = try server { _ in }
            let client = try server.connect()
            try client.send("GET / HTTP/1.1\r\nHost: h\r\n" + String(repeating: fields, count: count) + "\r\n")
            // Where even the refusal finds no memory the connection is just closed.
            if let reply = try? client.reply() { #expect(reply.status == 431) }
            client.skipToEnd()
            #expect(client.isClosedByServer())
            #expect(try server.connect().exchange(Self.request).status == 200)
        }

        @Test func connectionsPerAddress() throws {
            let server = try server { $0.connectionsPerAddress = 2 }
            let first = try server.connect()
            #expect(try first.exchange(Self.request).status == 200)
            let second = try server.connect()
            #expect(try second.exchange(Self.request).status == 200)
            let third = try server.connect()
            #expect(third.isClosedByServer())
            #expect(try first.exchange(Self.request).status == 200)
        }

        @Test func connections() throws {
            let server = try server {
                $0.connections = 2
                $0.threads = 1
            }
            var open = try (0..<2).map { _ in try server.connect() }
            for client in open { #expect(try client.exchange(Self.request).status == 200) }
            let waiting = try server.connect()
            try waiting.send(Self.request)
            #expect(try open[1].exchange(Self.request).status == 200)
            #expect(server.log.entries.count <= 3)
            open.removeFirst()
            #expect(try waiting.reply().status == 200)
        }

        @Test(arguments: ["", "GET / HT", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nabc"])
        func slowPeersAreTurnedOut(bytes: String) throws {
            let events = EventRecorder<RecordingReceiver.Event>()
            let server = try TestServer(limits: .forTests.with { $0.idleSeconds = 1 }) { _ in
                .streaming(RecordingReceiver(events))
            }
            let client = try server.connect()
            try client.send(bytes)
            client.skipToEnd()
            #expect(client.isClosedByServer())
            if bytes.hasPrefix("POST") { #expect(events.next() == .abandoned) }
        }

        @Test(
            arguments: [
                { $0.threads = 0 }, { $0.threads = 1025 }, { $0.connections = 1 }, { $0.idleSeconds = -1 },
                { $0.connectionsPerAddress = .max }, { $0.headerBytes = 10 }, { $0.headerBytes = .max },
                { $0.headerFields = 0 }, { $0.stopGraceSeconds = .nan }, { $0.lingerSeconds = .infinity },
                { $0.headSeconds = -1 }, { $0.headSeconds = .nan }, { $0.leastBytesPerSecond = -1 },
                { $0.rateWindowSeconds = 0 }, { $0.clientRequests = -1 },
            ] as [@Sendable (inout ServerLimits) -> Void])
        func impossibleLimitsAreNamed(change: @Sendable (inout ServerLimits) -> Void) {
            let error = #expect(throws: HTTPServerError.self) { try server(change) }
            #expect(error?.code == .invalidLimits)
        }
    }
}

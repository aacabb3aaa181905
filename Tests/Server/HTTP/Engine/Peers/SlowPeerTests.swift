import HearthHTTP
import Testing

extension ServerSuites {
    /// Peers that never stop to send or to take, but hardly do so.
    struct SlowPeerTests {
        private static let request = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"

        private func server(
            trustedProxies: String = "", address: String = "127.0.0.1", _ change: (inout ServerLimits) -> Void,
            plan: @escaping @Sendable (RequestHead) -> RequestPlan = { _ in .answer(.text("ok")) }
        ) throws -> TestServer {
            try TestServer(
                address: address, limits: .forTests.with(change),
                trustedProxies: try #require(AddressRanges(trustedProxies)), plan: plan)
        }

        @Test func aHeadThatDripsIsAnswered408AndEnds() throws {
            let server = try server { $0.headSeconds = 0.5 }
            let client = try server.connect()
            try client.send("GET /a?b=c HTTP/1.1\r\nHost: h\r\nX: ")
            client.sendSlowly()
            #expect(try client.reply().status == 408)
            client.skipToEnd()
            #expect(client.isClosedByServer())
            let entry = try #require(server.log.next())
            #expect(entry.endReason == .slowHead)
            #expect(entry.target == "/a?b=*")
            #expect(entry.status == 408)
            #expect(server.server.connectionsEnded(.slowHead) == 1)
        }

        @Test(arguments: ["G", "GET /abc", ""])
        func aRequestLineThatDripsEndsAndIsLogged(start: String) throws {
            let server = try server { $0.headSeconds = 0.5 }
            let client = try server.connect()
            try client.send(start)
            client.sendSlowly()
            #expect(client.isClosedByServer())
            let entry = try #require(server.log.next())
            #expect(entry.endReason == .slowHead)
            #expect(entry.method == nil)
            #expect(entry.remoteAddress == "127.0.0.1")
        }

        @Test func theNextRequestOfAConnectionHasItsOwnTime() throws {
            let server = try server { $0.headSeconds = 0.5 }
            let client = try server.connect()
            #expect(try client.exchange(Self.request).status == 200)
            client.sendSlowly()
            #expect(client.isClosedByServer())
            #expect(server.log.next()?.endReason == nil)
            #expect(server.log.next()?.endReason == .slowHead)
        }

        @Test func aBodyThatDripsIsAnswered408AndAbandoned() throws {
            let events = EventRecorder<RecordingReceiver.Event>()
            let server = try server {
                $0.rateWindowSeconds = 1
            } plan: { _ in
                .streaming(RecordingReceiver(events))
            }
            let client = try server.connect()
            try client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\nabc")
            client.sendSlowly()
            let reply = try client.reply()
            #expect(reply.status == 408)
            #expect(reply.text.contains("too slowly"))
            #expect(events.next() == .abandoned)
            let entry = try #require(server.log.next())
            #expect(entry.endReason == .slowBody)
            #expect(entry.status == 408)
        }

        @Test func aPeerThatHardlyReadsIsCut() throws {
            let server = try server {
                $0.rateWindowSeconds = 1
            } plan: { _ in
                .answer(Response(status: 200, body: .bytes([UInt8](repeating: 1, count: 64 << 20))))
            }
            let client = try server.connect()
            try client.send(Self.request)
            let entry = try #require(server.log.next())
            #expect(entry.endReason == .slowReader)
            #expect(!entry.isComplete)
            #expect(server.server.connectionsEnded(.slowReader) == 1)
        }

        @Test func whoeverTheServerLetsWaitStays() throws {
            let promises = EventRecorder<DeferredResponse>()
            let streams = EventRecorder<ResponseStream>()
            let server = try server {
                $0.headSeconds = 1
                $0.rateWindowSeconds = 1
            } plan: { head in
                .buffered(limitBytes: 0) { _, _ in
                    head.path == "/stream"
                        ? .stream(Response(status: 200)) { streams.add($0) } : .deferred { promises.add($0) }
                }
            }
            let waiting = try server.connect()
            try waiting.send(Self.request)
            let promise = try #require(promises.next())
            let listening = try server.connect()
            try listening.send("GET /stream HTTP/1.1\r\nHost: h\r\n\r\n")
            let stream = try #require(streams.next())
            let idle = try server.connect()
            // By the time that three who drip one after the other were ended, the others have waited longer than each of them.
            for _ in 1...3 {
                let client = try server.connect()
                try client.send("GET / HTTP/1.1\r\nX: ")
                client.sendSlowly()
                #expect(server.log.next()?.endReason == .slowHead)
            }
            #expect(stream.write(Array("news".utf8)))
            #expect(try listening.reply().status == 200)
            #expect(promise.resolve(with: .text("late")))
            #expect(try waiting.reply().text == "late")
            try idle.send(Self.request)
            let last = try #require(promises.next())
            #expect(last.resolve(with: .text("later")))
            #expect(try idle.reply().text == "later")
        }

        @Test func connectionsAreCountedByNetworkOnASocketForBothFamilies() throws {
            let server = try server(address: "::") { $0.connectionsPerAddress = 2 }
            let over4 = try (1...2).map { _ in try server.connect() }
            for client in over4 { #expect(try client.exchange(Self.request).status == 200) }
            #expect(try server.connect().isClosedByServer())
            #expect(server.server.refusedConnections == 1)
            #expect(try server.connect(fromLoopback: 2).exchange(Self.request).status == 200, "another IPv4 address")
            #expect(try server.connect(isIPv6: true).exchange(Self.request).status == 200)
        }

        @Test func whoHoldsTheMostGivesWayWhereConnectionsAreScarce() throws {
            let server = try server {
                $0.connections = 16
                $0.threads = 1
            }
            func halfSent(_ number: UInt8, _ count: Int) throws -> [RawClient] {
                try (0..<count).map { _ in
                    let client = try server.connect(fromLoopback: number)
                    try client.send("GET / HTTP/1.1\r\nX: ")
                    return client
                }
            }
            let most = try halfSent(2, 9)
            let some = try halfSent(3, 3)
            let few = try halfSent(4, 3)
            #expect(try server.connect(fromLoopback: 5).exchange(Self.request).status == 200)
            // Twelve of 16 may be taken: the three oldest of the largest network go.
            for client in most.prefix(3) {
                let reply = try client.reply()
                #expect(reply.status == 503)
                #expect(reply.headers["retry-after"] != nil)
                client.skipToEnd()
                #expect(client.isClosedByServer())
                #expect(server.log.next()?.status != nil)
            }
            for client in most.dropFirst(3) + some + few { #expect(try client.exchange("y\r\n\r\n").status == 400) }
            #expect(server.server.connectionsEnded(.crowded) == 3)
        }

        @Test func theRequestsInProgressOfAProxysClientAreLimited() throws {
            let promises = EventRecorder<DeferredResponse>()
            let server = try server(trustedProxies: "127.0.0.1") {
                $0.clientRequests = 2
            } plan: { _ in
                .buffered(limitBytes: 10) { _, _ in .deferred { promises.add($0) } }
            }
            func ask(_ client: String, _ body: String, isRefused: Bool = false) throws -> RawClient {
                let connection = try server.connect()
                try connection.send(
                    "POST / HTTP/1.1\r\nHost: h\r\nX-Forwarded-For: \(client)\r\nExpect: 100-continue\r\n"
                        + "Content-Length: 2\r\n\r\n")
                let answer = try connection.reply()
                #expect(answer.status == (isRefused ? 429 : 100))
                #expect((answer.headers["retry-after"] != nil) == isRefused)
                if !isRefused { try connection.send(body) }
                return connection
            }
            // One drips its body, one waits for its answer.
            let dripping = try ask("2001:db8::1", "a")
            let waiting = try ask("2001:db8::2", "ab")
            let promise = try #require(promises.next())
            _ = try ask("2001:db8::3", "ab", isRefused: true)
            #expect(server.server.refusedClientRequests == 1)
            let other = try ask("2001:db8:0:1::1", "ab")
            #expect(promises.next()?.resolve(with: .text("ok")) == true)
            #expect(try other.reply().status == 200)
            #expect(promise.resolve(with: .text("ok")))
            #expect(try waiting.reply().status == 200)
            // The log's entry comes after the request is counted no more.
            for _ in 1...3 { _ = server.log.next() }
            let next = try ask("2001:db8::4", "ab")
            #expect(promises.next()?.resolve(with: .text("ok")) == true)
            #expect(try next.reply().status == 200)
            _ = dripping
        }
    }
}

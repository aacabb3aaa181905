import HearthHTTP
import HearthTestSupport
import Testing

extension ServerSuites {
    struct DeferredTests {
        private static let request = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"
        private static let ping = "GET /ping HTTP/1.1\r\nHost: h\r\n\r\n"

        /// A plan that hands every promise to `promises`.
        private static func deferring(_ promises: EventRecorder<DeferredResponse>)
            -> @Sendable (RequestHead) -> RequestPlan
        {
            { _ in .buffered(limitBytes: 0) { _, _ in .deferred { promises.add($0) } } }
        }

        @Test func anAnswerMayComeFromAnotherThreadAndTheConnectionGoesOn() throws {
            let promises = EventRecorder<DeferredResponse>()
            let server = try TestServer(plan: Self.deferring(promises))
            let client = try server.connect()
            for number in 1...3 {
                try client.send(Self.request)
                let promise = try #require(promises.next())
                #expect(promise.resolve(with: .text("late \(number)")))
                #expect(try client.reply().text == "late \(number)")
                #expect(!promise.resolve(with: .text("again")))
            }
        }

        @Test func anAnswerMayComeAtOnce() throws {
            let server = try TestServer { _ in
                .buffered(limitBytes: 0) { _, _ in .deferred { $0.resolve(with: .text("now")) } }
            }
            let client = try server.connect()
            for _ in 1...20 { #expect(try client.exchange(Self.request).text == "now") }
        }

        @Test func aLostPromiseAnswers500() throws {
            let server = try TestServer { _ in .buffered(limitBytes: 0) { _, _ in .deferred { _ in } } }
            let client = try server.connect()
            #expect(try client.exchange(Self.request).status == 500)
            #expect(try client.exchange(Self.request).status == 500)
        }

        @Test func aThousandSuspendedConnectionsHoldNoThread() async {
            // In a process of its own: other suites start and end threads meanwhile.
            await #expect(processExitsWith: .success) {
                let promises = EventRecorder<DeferredResponse>()
                let limits = ServerLimits.forTests.with { $0.connectionsPerAddress = 0 }
                let server = try TestServer(limits: limits) { head in
                    head.path == "/ping" ? .answer(.text("pong")) : Self.deferring(promises)(head)
                }
                #expect(try server.connect().exchange(Self.ping).text == "pong")
                let threads = ProcessLimits.threadCount
                var clients: [RawClient] = []
                var waiting: [DeferredResponse] = []
                // A hundred at a time: of exactly 128 events the library tells only after the next one (decision 0003).
                while clients.count < ProcessLimits.manyConnections {
                    let next = try (0..<100).map { _ in try server.connect() }
                    for client in next { try client.send(Self.request) }
                    for _ in next { waiting.append(try #require(promises.next())) }
                    clients += next
                }
                #expect(ProcessLimits.threadCount <= threads + 8)
                #expect(try server.connect().exchange(Self.ping).text == "pong")
                for promise in waiting { promise.resolve(with: .text("done")) }
                for client in clients { #expect(try client.reply().text == "done") }
            }
        }

        @Test func resolvingForAPeerThatLeftIsHarmless() throws {
            let promises = EventRecorder<DeferredResponse>()
            let server = try TestServer(plan: Self.deferring(promises))
            let client = try server.connect()
            try client.send(Self.request)
            let promise = try #require(promises.next())
            client.reset()
            #expect(promise.resolve(with: .text("too late")))
            #expect(server.log.next() != nil)
        }
    }
}

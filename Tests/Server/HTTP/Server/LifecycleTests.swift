import Dispatch
import Glibc
import HearthHTTP
import HearthTestSupport
import Testing

extension ServerSuites {
    struct LifecycleTests {
        private static let request = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"

        private func server(_ address: String, _ port: UInt16 = 0, tls: HTTPServerConfiguration.TLS? = nil)
            -> HTTPServer
        {
            HTTPServer(
                configuration: HTTPServerConfiguration(address: address, port: port, tls: tls, limits: .forTests),
                handler: ClosureHandler { _ in .answer(.text("ok")) })
        }

        private func code(_ server: HTTPServer) -> HTTPServerError.Code? {
            #expect(throws: HTTPServerError.self) { try server.start() }?.code
        }

        @Test func aServerThatCannotStartSaysWhy() throws {
            #expect(code(server("localhost")) == .invalidAddress)
            #expect(code(server("203.0.113.1")) == .invalidAddress)
            let first = server("127.0.0.1")
            try first.start()
            #expect(code(server("127.0.0.1", first.port)) == .addressInUse)
            #expect(code(first) == .alreadyStarted)
            first.stop()
            #expect(code(first) == .alreadyStarted)
            #expect(first.port == 0)
        }

        @Test func whoComesBeforeTheStartIsAnsweredAfterIt() throws {
            let server = server("127.0.0.1")
            try server.listen(on: BoundPort(address: "127.0.0.1", port: 0))
            let port = server.port
            #expect(port != 0)
            let early = try RawClient(port: port)
            try early.send(Self.request)
            #expect(code(self.server("127.0.0.1", port)) == .addressInUse)
            #expect(throws: HTTPServerError.self) {
                try server.listen(on: BoundPort(address: "127.0.0.1", port: 0))
            }
            try server.start()
            #expect(server.port == port)
            #expect(try early.reply().text == "ok")
        }

        @Test func aServerThatIsStoppedBeforeItsStartAnswersNobody() throws {
            let server = server("127.0.0.1")
            try server.listen(on: BoundPort(address: "127.0.0.1", port: 0))
            let port = server.port
            let early = try RawClient(port: port)
            try early.send(Self.request)
            server.stop()
            #expect(throws: RawClient.Failure.self) { try early.reply() }
            #expect(throws: RawClient.Failure.self) { try RawClient(port: port) }
            #expect(code(server) == .alreadyStarted)
            let next = self.server("127.0.0.1", port)
            try next.start()
            #expect(try RawClient(port: port).exchange(Self.request).status == 200)
        }

        @Test func aPortThatNoServerTookIsFreeAgain() throws {
            var port: BoundPort? = try BoundPort(address: "127.0.0.1", port: 0)
            let number = try #require(port?.number)
            #expect(code(server("127.0.0.1", number)) == .addressInUse)
            port = nil
            try server("127.0.0.1", number).start()
        }

        @Test func aRefusedCertificateFreesThePort() throws {
            let bad = HTTPServerConfiguration.TLS(certificatePEM: "no", privateKeyPEM: "no")
            let free = server("127.0.0.1")
            try free.start()
            let port = free.port
            free.stop()
            #expect(code(server("127.0.0.1", port, tls: bad)) == .invalidTLS)
            let next = server("127.0.0.1", port)
            try next.start()
            #expect(next.port == port)
        }

        @Test func aStoppedServerCanBeFollowedOnItsPort() throws {
            let first = server("127.0.0.1")
            try first.start()
            let port = first.port
            #expect(try RawClient(port: port).exchange(Self.request).status == 200)
            first.stop()
            first.stop()
            #expect(throws: RawClient.Failure.self) { try RawClient(port: port) }
            let second = server("127.0.0.1", port)
            try second.start()
            #expect(try RawClient(port: port).exchange(Self.request).status == 200)
        }

        @Test func stoppingLetsRunningRequestsEnd() throws {
            let entered = CountingSemaphore()
            let proceed = CountingSemaphore()
            let server = try TestServer(limits: .forTests.with { $0.stopGraceSeconds = 20 }) { _ in
                .buffered(limitBytes: 10) { _, _ in
                    entered.send()
                    _ = proceed.wait()
                    return .respond(.text("ended"))
                }
            }
            let client = try server.connect()
            try client.send(Self.request)
            #expect(entered.wait())
            let stopped = server.stopInBackground()
            // The port is withdrawn when the stop has begun.
            while server.port != 0 { sched_yield() }
            proceed.send()
            let reply = try client.reply()
            #expect(reply.text == "ended")
            #expect(stopped.wait())
            #expect(client.isClosedByServer())
        }

        /// What is idle goes at once; what runs ends, however slowly the peer reads; and nothing new comes in.
        @Test func stoppingClosesTheIdleAndFinishesTransfers() throws {
            let folder = try TemporaryFolder()
            let bytes = (0..<8_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            let path = try folder.write(bytes, to: "file")
            let file = try #require(OwnedDescriptor(readingFrom: path))
            let server = try TestServer(limits: .forTests.with { $0.stopGraceSeconds = 60 }) { _ in
                .answer(Response(status: 200, body: .file(file, offset: 0, length: UInt64(bytes.count))))
            }
            let idle = try server.connect()
            let neverUsed = try server.connect()
            #expect(try idle.exchange("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n", toHead: true).status == 200)
            let slow = try server.connect()
            try slow.send(Self.request)
            // The head has come: the transfer is under way, and far too big for the socket's buffers.
            let head = try slow.reply(toHead: true)
            #expect(head.status == 200)
            let stopped = server.stopInBackground()
            #expect(idle.isClosedByServer())
            #expect(neverUsed.isClosedByServer())
            #expect(try slow.take(bytes.count) == bytes)
            #expect(slow.isClosedByServer())
            #expect(stopped.wait())
            #expect(server.log.entries.filter { $0.method == .get }.map(\.isComplete) == [true])
        }

        @Test func anUploadThatHasBegunIsReadToItsEnd() throws {
            let events = EventRecorder<RecordingReceiver.Event>()
            let server = try TestServer(limits: .forTests.with { $0.stopGraceSeconds = 60 }) { _ in
                .streaming(RecordingReceiver(events, reportsPieces: true))
            }
            let client = try server.connect()
            try client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 6\r\n\r\nabc")
            #expect(events.next() == .received)
            let stopped = server.stopInBackground()
            while server.port != 0 { sched_yield() }
            try client.send("def")
            #expect(try client.reply().status == 200)
            #expect(client.isClosedByServer())
            #expect(stopped.wait())
        }

        @Test func stoppingAnswersTheSuspendedAndAbandonsUploads() throws {
            let promises = EventRecorder<DeferredResponse>()
            let events = EventRecorder<RecordingReceiver.Event>()
            let server = try TestServer(limits: .forTests.with { $0.stopGraceSeconds = 0.1 }) { head in
                head.method == .post
                    ? .streaming(RecordingReceiver(events, reportsPieces: true))
                    : .buffered(limitBytes: 0) { _, _ in .deferred { promises.add($0) } }
            }
            let suspended = try server.connect()
            try suspended.send(Self.request)
            let promise = try #require(promises.next())
            let uploading = try server.connect()
            try uploading.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nabc")
            #expect(events.next() == .received)
            server.server.stop()
            #expect(try suspended.reply().status == 503)
            #expect(events.entries == [.received, .abandoned])
            #expect(!promise.resolve(with: .text("too late")))
            #expect(uploading.isClosedByServer())
        }

        @Test func aForgottenServerStops() throws {
            var server: HTTPServer? = server("127.0.0.1")
            try server?.start()
            let port = try #require(server?.port)
            server = nil
            #expect(throws: RawClient.Failure.self) { try RawClient(port: port) }
        }

        @Test func startingAndStoppingLeavesNoDescriptors() async {
            // In a process of its own: other suites open and close files meanwhile.
            await #expect(processExitsWith: .success) {
                try Self.startServeAndStop()
                let before = Self.descriptorCount()
                for _ in 1...10 { try Self.startServeAndStop() }
                // What the test's own process opens and closes beside is one or two; a leak would be ten at least.
                #expect(Self.descriptorCount() < before + 10)
            }
        }

        @Test func aMalformedHeadDuringAStopIsHarmless() async {
            await #expect(processExitsWith: .success) {
                for _ in 1...200 {
                    let server = HTTPServer(
                        configuration: HTTPServerConfiguration(limits: .forTests),
                        handler: ClosureHandler { _ in .answer(.text("ok")) })
                    try server.start()
                    let clients = try (1...4).map { _ in try RawClient(port: server.port) }
                    // No Host field: libmicrohttpd refuses that by itself.
                    for client in clients { try? client.send("GET / HTTP/1.1\r\n\r\n") }
                    server.stop()
                }
            }
        }

        private static func startServeAndStop() throws {
            let server = HTTPServer(
                configuration: HTTPServerConfiguration(limits: .forTests),
                handler: ClosureHandler { _ in .answer(.text("ok")) })
            try server.start()
            let client = try RawClient(port: server.port)
            _ = try client.exchange(request)
            server.stop()
        }

        private static func descriptorCount() -> Int {
            var count = 0
            guard let folder = opendir("/proc/self/fd") else { return 0 }
            while readdir(folder) != nil { count += 1 }
            closedir(folder)
            return count
        }
    }
}

import Dispatch
import Glibc
import HearthHTTP
import HearthTestSupport
import Testing

extension ServerSuites {
    /// Answers that go on.
    struct StreamTests {
        private static let request = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"
        private static let ping = "GET /ping HTTP/1.1\r\nHost: h\r\n\r\n"

        /// Streams that a server began, and how many of them are over.
        private final class Streams: Sendable {
            let begun = EventRecorder<ResponseStream>()
            let over = CountingSemaphore()
            let response: Response

            init(_ response: Response = Response(status: 200, headers: ["Content-Type": "text/plain"])) {
                self.response = response
            }

            func plan(_ head: RequestHead) -> RequestPlan {
                if head.path == "/ping" { return .answer(.text("pong")) }
                return .buffered(limitBytes: 10) { _, _ in
                    .stream(self.response) { stream in
                        stream.onClose { self.over.send() }
                        self.begun.add(stream)
                    }
                }
            }
        }

        private func server(_ streams: Streams, _ limits: ServerLimits = .forTests) throws -> TestServer {
            try TestServer(limits: limits) { streams.plan($0) }
        }

        private func begin(_ client: RawClient, _ streams: Streams) throws -> ResponseStream {
            try client.send(Self.request)
            return try #require(streams.begun.next())
        }

        @Test func theHeadComesBeforeAnyPieceAndEachPieceByItself() throws {
            let streams = Streams()
            let server = try server(streams)
            let client = try server.connect()
            let stream = try begin(client, streams)
            let head = try client.reply()
            #expect(head.status == 200)
            #expect(head.headers["transfer-encoding"] == "chunked" && head.headers["content-length"] == nil)
            #expect(head.headers["content-type"] == "text/plain")
            for piece in ["one", "{\"two\":2}", "\n"] {
                #expect(stream.write(Array(piece.utf8)))
                #expect(try client.chunk() == piece)
            }
            stream.end()
            #expect(try client.chunk() == "")
            #expect(streams.over.wait())
            #expect(!stream.write([1]))
            let entry = try #require(server.log.next())
            #expect(entry.isComplete && entry.status == 200 && entry.responseBytes == 13)
            #expect(try client.exchange(Self.ping).text == "pong", "the connection goes on")
        }

        @Test func piecesThatWaitKeepTheirOrderAndTheirBounds() throws {
            let streams = Streams()
            let server = try server(streams)
            let client = try server.connect()
            let stream = try begin(client, streams)
            #expect(try client.reply().status == 200)
            let pieces = (0..<500).map { "piece \($0)" }
            for piece in pieces { stream.write(Array(piece.utf8)) }
            stream.end()
            #expect(try pieces.map { _ in try client.chunk() } == pieces)
            #expect(try client.chunk() == "")
        }

        @Test func whatIsWrittenAtTheStartIsSent() throws {
            let server = try TestServer { _ in
                .buffered(limitBytes: 0) { _, _ in
                    .stream(Response(status: 200)) { stream in
                        stream.write(Array("first".utf8))
                        stream.end()
                        stream.end()
                    }
                }
            }
            let client = try server.connect()
            for _ in 1...3 {
                #expect(try client.exchange(Self.request).status == 200)
                #expect(try client.chunk() == "first")
                #expect(try client.chunk() == "")
            }
        }

        @Test func aLongPieceArrivesWhole() throws {
            let streams = Streams()
            let server = try server(streams)
            let client = try server.connect()
            let stream = try begin(client, streams)
            #expect(try client.reply().status == 200)
            let long = String(repeating: "long ", count: 12_000)
            #expect(stream.write(Array(long.utf8)))
            var text = ""
            while text.utf8.count < long.utf8.count { text += try client.chunk() }
            #expect(text == long)
        }

        @Test func aStreamThatIsLostEnds() throws {
            let server = try TestServer { _ in
                .buffered(limitBytes: 0) { _, _ in .stream(Response(status: 200)) { _ in } }
            }
            let client = try server.connect()
            #expect(try client.exchange(Self.request).status == 200)
            #expect(try client.chunk() == "")
        }

        @Test func aPeerOfHTTP10GetsTheBytesAsTheyAreAndTheClose() throws {
            let streams = Streams()
            let server = try server(streams)
            let client = try server.connect()
            try client.send("GET / HTTP/1.0\r\nHost: h\r\n\r\n")
            let stream = try #require(streams.begun.next())
            let head = try client.reply()
            #expect(head.status == 200 && head.headers["transfer-encoding"] == nil)
            stream.write(Array("plain".utf8))
            #expect(try client.take(5) == Array("plain".utf8))
            stream.write(Array("more".utf8))
            #expect(try client.take(4) == Array("more".utf8))
            stream.end()
            #expect(client.isClosedByServer())
            #expect(streams.over.wait())
        }

        @Test func aHEADRequestGetsTheHeadOnly() throws {
            let streams = Streams()
            let server = try server(streams)
            let client = try server.connect()
            try client.send("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try client.reply(toHead: true).status == 200)
            #expect(try client.exchange(Self.ping).text == "pong")
            #expect(streams.begun.entries.isEmpty)
        }

        @Test func aStatusThatHTTPDoesNotHaveIsAnswered500() throws {
            let streams = Streams(Response(status: 77))
            let server = try server(streams)
            #expect(try server.connect().exchange(Self.request).status == 500)
        }

        /// Nothing is written meanwhile.
        @Test(arguments: [false, true])
        func aPeerThatLeavesIsNoticedAtOnce(withReset: Bool) throws {
            let streams = Streams()
            let server = try server(streams)
            var client: RawClient? = try server.connect()
            let stream = try begin(try #require(client), streams)
            #expect(try client?.reply().status == 200)
            if withReset { client?.reset() }
            client = nil
            #expect(streams.over.wait())
            #expect(!stream.write([1]))
            #expect(server.log.next()?.isComplete == false)
            #expect(try server.connect().exchange(Self.ping).text == "pong")
        }

        @Test func aPeerThatDoesNotReadIsCutOff() throws {
            let streams = Streams()
            // So long that it is not the idle limit that cuts it.
            let server = try server(streams, .forTests.with { $0.idleSeconds = 3600 })
            let client = try server.connect()
            let stream = try begin(client, streams)
            let piece = [UInt8](repeating: 7, count: 8 * 1024)
            var written = 0
            while stream.write(piece) { written += piece.count }
            #expect(written < 64 << 20, "what the sockets take, and the limit")
            #expect(streams.over.wait())
            #expect(!stream.write(piece))
            #expect(server.log.next()?.isComplete == false)
        }

        @Test func onePieceOverTheLimitCutsItOff() throws {
            let streams = Streams()
            let server = try server(streams)
            let client = try server.connect()
            let stream = try begin(client, streams)
            #expect(try client.reply().status == 200)
            #expect(!stream.write([UInt8](repeating: 0, count: ResponseStream.limitBytes + 1)))
            #expect(streams.over.wait())
            #expect(client.isClosedByServer())
        }

        @Test func theIdleLimitSparesAStreamWithNothingToSend() throws {
            let streams = Streams()
            let server = try server(streams, .forTests.with { $0.idleSeconds = 1 })
            let client = try server.connect()
            let stream = try begin(client, streams)
            #expect(try client.reply().status == 200)
            // One that idles beside it shows that the limit has passed.
            let idle = try server.connect()
            #expect(try idle.exchange(Self.ping).text == "pong")
            #expect(idle.isClosedByServer())
            #expect(stream.write(Array("still here".utf8)))
            #expect(try client.chunk() == "still here")
        }

        @Test func aThousandStreamsHoldNoThread() async {
            // In a process of its own: other suites start and end threads meanwhile.
            await #expect(processExitsWith: .success) {
                let streams = Streams()
                let server = try TestServer(limits: .forTests.with { $0.connectionsPerAddress = 0 }) {
                    streams.plan($0)
                }
                #expect(try server.connect().exchange(Self.ping).text == "pong")
                let threads = ProcessLimits.threadCount
                var clients: [RawClient] = []
                var open: [ResponseStream] = []
                // A hundred at a time: of exactly 128 events the library tells only after the next one (decision 0003).
                while clients.count < ProcessLimits.manyConnections {
                    let next = try (0..<100).map { _ in try server.connect() }
                    for client in next { try client.send(Self.request) }
                    for _ in next { open.append(try #require(streams.begun.next())) }
                    clients += next
                }
                for client in clients { #expect(try client.reply().status == 200) }
                #expect(ProcessLimits.threadCount <= threads + 8)
                #expect(try server.connect().exchange(Self.ping).text == "pong")
                for stream in open { #expect(stream.write(Array("news".utf8))) }
                for client in clients { #expect(try client.chunk() == "news") }
                #expect(ProcessLimits.threadCount <= threads + 8)
                for first in stride(from: 0, to: clients.count / 2, by: 100) {
                    let leaving = clients[first..<min(first + 100, clients.count / 2)]
                    for client in leaving { client.reset() }
                    for _ in leaving { #expect(streams.over.wait()) }
                }
                server.server.stop()
                for client in clients.suffix(clients.count / 2) { #expect(try client.chunk() == "") }
            }
        }

        @Test func stoppingEndsStreamsAtOnce() throws {
            let streams = Streams()
            let server = try server(streams, .forTests.with { $0.stopGraceSeconds = 3600 })
            let client = try server.connect()
            let stream = try begin(client, streams)
            #expect(try client.reply().status == 200)
            let deaf = try server.connect()
            let full = try begin(deaf, streams)
            // As much as the sockets take, and no more than may wait.
            full.write([UInt8](repeating: 1, count: ResponseStream.limitBytes))
            server.server.stop()
            #expect(try client.chunk() == "")
            #expect(client.isClosedByServer())
            #expect(streams.over.wait() && streams.over.wait())
            #expect(!stream.write([1]) && !full.write([1]))
        }

        @Test func stoppingCutsOffThePeerThatDoesNotTakeTheEnd() throws {
            let streams = Streams()
            let limits = ServerLimits.forTests.with { $0.stopGraceSeconds = 3600 }
            let server = try server(streams, limits.with { $0.threads = 1 })
            let other = try server.connect()
            let piece = [UInt8](repeating: 7, count: 16 * 1024)
            /// Writes when the one thread has had the time to send what was written before.
            func write(_ stream: ResponseStream) throws -> Bool {
                for _ in 1...2 { _ = try other.exchange(Self.ping) }
                return stream.write(piece)
            }
            // How much there is room for, the pieces that wait included.
            let measured = try server.connect()
            let first = try begin(measured, streams)
            var room = 0
            while try write(first) { room += piece.count }
            #expect(streams.over.wait())
            // Now so much that some of it waits.
            let deaf = try server.connect()
            let stream = try begin(deaf, streams)
            for _ in 0..<(room - ResponseStream.limitBytes / 2) / piece.count { _ = try write(stream) }
            server.server.stop()
            #expect(streams.over.wait())
            #expect(!stream.write([1]))
        }

        @Test func aServerThatWillStopEndsItsStreamsAndAnswersAllElse() throws {
            let streams = Streams()
            let server = try server(streams)
            let client = try server.connect()
            let stream = try begin(client, streams)
            #expect(try client.reply().status == 200)
            server.server.endStreams()
            #expect(try client.chunk() == "")
            #expect(!stream.write([1]))
            #expect(try client.exchange(Self.request).status == 503)
            #expect(try client.exchange(Self.ping).text == "pong")
        }

        @Test func writingEndingLeavingAndStoppingAtTheSameTime() throws {
            for _ in 1...20 {
                let streams = Streams()
                let server = try server(streams)
                let clients = try (0..<12).map { _ in try server.connect() }
                for client in clients { try client.send(Self.request) }
                let open = try clients.map { _ in try #require(streams.begun.next()) }
                let writers = DispatchGroup()
                for (index, stream) in open.enumerated() {
                    DispatchQueue.global().async(group: writers) {
                        for _ in 0..<200 where !stream.write(Array("something".utf8)) { return }
                        if index.isMultiple(of: 3) { stream.end() }
                    }
                }
                for client in clients.prefix(4) { client.reset() }
                server.server.stop()
                writers.wait()
                for _ in open { #expect(streams.over.wait()) }
                #expect(server.log.entries.count == open.count)
            }
        }
    }
}

extension RawClient {
    /// The next chunk of a chunked body; empty for the last one.
    fileprivate func chunk() throws -> String {
        let size = try #require(Int(line(), radix: 16))
        let bytes = try take(size)
        #expect(try take(2) == Array("\r\n".utf8))
        return String(decoding: bytes, as: UTF8.self)
    }

    private func line() throws -> String {
        var line: [UInt8] = []
        while !line.suffix(2).elementsEqual("\r\n".utf8) { line += try take(1) }
        return String(decoding: line.dropLast(2), as: UTF8.self)
    }
}

import Dispatch
import Glibc
import HearthHTTP
import HearthTestSupport
import Testing

extension ServerSuites {
    struct FileTests {
        private let folder: TemporaryFolder
        private let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        private let server: TestServer

        init() throws {
            folder = try TemporaryFolder()
            let path = try folder.write(bytes, to: "file")
            let file = try #require(OwnedDescriptor(readingFrom: path))
            server = try TestServer { .answer(.file(file, length: file.regularFileLength ?? 0, etag: "abc", for: $0)) }
        }

        private func get(_ fields: String, method: String = "GET") throws -> RawClient.Reply {
            try server.connect().exchange("\(method) / HTTP/1.1\r\nHost: h\r\n\(fields)\r\n", toHead: method == "HEAD")
        }

        @Test func aFileIsSentWhole() throws {
            let reply = try get("")
            #expect(reply.status == 200)
            #expect(reply.body == bytes)
            #expect(reply.headers["accept-ranges"] == "bytes")
            #expect(reply.headers["etag"] == "abc")
            #expect(reply.headers["content-type"] == "application/octet-stream")
        }

        @Test func theSameDescriptorServesManyRequestsAtOnce() throws {
            let clients = try (0..<20).map { _ in try server.connect() }
            for client in clients { try client.send("GET / HTTP/1.1\r\nHost: h\r\nRange: bytes=500-\r\n\r\n") }
            for client in clients { #expect(try client.reply().body == Array(bytes[500...])) }
        }

        @Test(arguments: [
            ("bytes=0-0", 0..<1), ("bytes=10-19", 10..<20), ("bytes=990-", 990..<1000), ("bytes=-5", 995..<1000),
            ("bytes=0-5000", 0..<1000),
        ])
        func aPartIsSentWithItsPlace(range: String, expected: Range<Int>) throws {
            let reply = try get("Range: \(range)\r\n")
            #expect(reply.status == 206)
            #expect(reply.body == Array(bytes[expected]))
            #expect(reply.headers["content-range"] == "bytes \(expected.lowerBound)-\(expected.upperBound - 1)/1000")
        }

        @Test func aPartBehindTheEndIs416() throws {
            let reply = try get("Range: bytes=1000-\r\n")
            #expect(reply.status == 416)
            #expect(reply.headers["content-range"] == "bytes */1000")
        }

        @Test func aPartOfOtherBytesIsTheWholeFile() throws {
            #expect(try get("Range: bytes=1-2\r\nIf-Range: \"abc\"\r\n").status == 206)
            #expect(try get("Range: bytes=1-2\r\nIf-Range: \"old\"\r\n").status == 200)
        }

        @Test func headTellsTheLength() throws {
            let reply = try get("", method: "HEAD")
            #expect(reply.status == 200)
            #expect(reply.headers["content-length"] == "1000")
        }

        @Test func aLargeDownloadHoldsNoMemory() async {
            // In a process of its own: other suites use memory meanwhile.
            await #expect(processExitsWith: .success) { try Self.downloadLargeFile() }
        }

        private static func downloadLargeFile() throws {
            let folder = try TemporaryFolder()
            let path = try folder.write([], to: "large")
            truncate(path, 200_000_000)
            let file = try #require(OwnedDescriptor(readingFrom: path))
            let server = try TestServer { .answer(.file(file, length: 200_000_000, for: $0)) }
            let client = try server.connect()
            let memory = PeakMemory()
            let reply = try client.exchange("GET / HTTP/1.1\r\nHost: h\r\n\r\n", toHead: true)
            #expect(reply.headers["content-length"] == "200000000")
            try client.skip(200_000_000)
            if let grown = memory.grownBytes { #expect(grown < 16 * 1024 * 1024) }
        }

        @Test func aFileShorterThanPromisedIsAServerError() throws {
            let file = try #require(OwnedDescriptor(readingFrom: try folder.write([1, 2, 3], to: "short")))
            let server = try TestServer { .answer(.file(file, length: 4, for: $0)) }
            #expect(try server.connect().exchange("GET / HTTP/1.1\r\nHost: h\r\n\r\n").status == 500)
        }

        @Test func impossibleLengthsCannotStopTheServer() throws {
            let file = try #require(OwnedDescriptor(readingFrom: try folder.write([1], to: "one")))
            let server = try TestServer { _ in
                .answer(Response(status: 200, body: .file(file, offset: .max, length: .max)))
            }
            #expect(try server.connect().exchange("GET / HTTP/1.1\r\nHost: h\r\n\r\n").status == 500)
        }
    }
}

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

extension ServerSuites {
    /// An answer that is encoded once for many requests.
    struct RepeatedResponseTests {
        private static let answer = Response.text("the same for all").forManyRequests

        @Test func allConnectionsGetItAtOnce() throws {
            let server = try TestServer { _ in .answer(Self.answer) }
            let (port, right) = (server.port, EventRecorder<Int>())
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

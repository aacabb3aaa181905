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

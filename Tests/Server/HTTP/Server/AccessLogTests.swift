import Foundation
import HearthHTTP
import HearthTestSupport
import Testing

extension ServerSuites {
    struct AccessLogTests {
        @Test func anEntryTellsTheRequestWithoutItsSecrets() throws {
            let heads = EventRecorder<RequestHead>()
            let server = try TestServer { head in
                heads.add(head)
                return .buffered(limitBytes: 10) { _, _ in .respond(.text("body", status: 201)) }
            }
            let request = "POST /m?key=AIzaSecret&alt=json HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc"
            _ = try server.connect().exchange(request)
            let entry = try #require(server.log.next())
            #expect(entry.method == .post)
            #expect(entry.target == "/m?key=*&alt=*")
            #expect(entry.status == 201)
            #expect(entry.requestBytes == 3)
            #expect(entry.responseBytes == 4)
            #expect(entry.isComplete)
            #expect(entry.duration >= .zero)
            #expect(entry.remoteAddress == "127.0.0.1")
            #expect(entry.requestID == heads.next()?.id)
        }

        /// Far too big for the sockets' buffers, and the peer takes no more than its head.
        @Test func ofACutAnswerCountsWhatArrived() throws {
            let folder = try TemporaryFolder()
            let size = 32_000_000
            let path = folder.path + "/file"
            #expect(FileManager.default.createFile(atPath: path, contents: Data(count: size)))
            let file = try #require(OwnedDescriptor(readingFrom: path))
            let server = try TestServer { _ in
                .answer(Response(status: 200, body: .file(file, offset: 0, length: UInt64(size))))
            }
            let client = try server.connect()
            #expect(try client.exchange("GET / HTTP/1.1\r\nHost: h\r\n\r\n", toHead: true).status == 200)
            client.reset()
            let entry = try #require(server.log.next())
            #expect(!entry.isComplete)
            #expect(entry.responseBytes > 0 && entry.responseBytes < UInt64(size))
        }

        @Test func ofARefusalInTheMiddleOfABodyCountsAllOfIt() throws {
            let server = try TestServer { _ in .buffered(limitBytes: 10) { _, _ in .respond(.text("never")) } }
            let head = "POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
            let answer = try server.connect().exchange(head + "14\r\n01234567890123456789\r\n")
            #expect(answer.status == 413)
            let entry = try #require(server.log.next())
            #expect(entry.isComplete)
            #expect(entry.responseBytes == UInt64(answer.body.count))
        }

        @Test func requestsThatNoHandlerSawAreLoggedToo() throws {
            let server = try TestServer { _ in .answer(.text("ok")) }
            _ = try server.connect().exchange("GET /%zz HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(server.log.next()?.status == 400)
            _ = try server.connect().exchange("POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: x\r\n\r\n")
            #expect(server.log.next()?.status == 400)
        }

        @Test func idsAreUnique() throws {
            let server = try TestServer { _ in .answer(.text("ok")) }
            let client = try server.connect()
            var ids: Set<String> = []
            for _ in 1...20 {
                _ = try client.exchange("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
                ids.insert(try #require(server.log.next()).requestID)
            }
            #expect(ids.count == 20)
        }
    }
}

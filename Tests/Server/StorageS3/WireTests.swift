import Foundation
import HearthCrypto
import HearthStorage
import HearthStorageS3
import HearthTestSupport
import HearthTransport
import Synchronization
import Testing

/// What `StoreDouble` only plays: broken answers as they come over a connection.
@Suite("Broken answers over the wire") struct WireTests {
    private func client(_ server: AnsweringServer, attempts: Int = 3) throws -> S3Client {
        S3Client(
            try S3Configuration(
                url: "s3://bucket?endpoint=http://127.0.0.1:\(server.port)&attempts=\(attempts)&timeout=60"),
            credentials: try S3Credentials(accessKey: "A", secretKey: "B"), proxy: .none, pause: { _ in })
    }

    @Test("A body that ends early goes on from its last byte", .limitedTime)
    func cut() throws {
        let server = try AnsweringServer([
            "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n01234",
            "HTTP/1.1 500 Oh\r\nContent-Length: 3\r\n\r\nxyz",
            "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 5-9/10\r\nContent-Length: 5\r\n\r\n56789",
        ])
        var found: [UInt8] = []
        try client(server).get("a") { found += $0 }
        #expect(found == Array("0123456789".utf8))
        #expect(server.requests.map { $0.contains("Range: bytes=5-\r\n") } == [false, true, true])
    }

    @Test("A body that is longer than announced is no blob", .limitedTime)
    func longer() throws {
        let server = try AnsweringServer(["HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nhello"])
        let blobs = try ServerDouble(client(server))
        #expect(code { _ = try blobs.blobs.open(SHA256Hasher.hash("hello".utf8)) } == .corrupt)
        #expect(try blobs.files.isEmpty)
    }

    @Test("What does not speak HTTP, or does not answer at all, is told apart", .limitedTime)
    func noStore() throws {
        let mail = try AnsweringServer(["220 mail.example ESMTP\r\n"])
        #expect(code { try client(mail).put("a", .bytes([1])) } == .io)
        let silent = try AnsweringServer(["", ""])
        #expect(code { _ = try client(silent, attempts: 2).list("") } == .unavailable)
        #expect(silent.requests.count == 2)
        let closed = try client(AnsweringServer([]))
        #expect(code { try closed.put("a", .bytes([1])) } == .unavailable)
    }
}

/// Gives each connection the next of its answers, and closes it. When it is released, nobody listens.
private final class AnsweringServer: Sendable {
    private let server: RawServer
    private let heads: Heads

    var port: UInt16 { server.port }
    /// The request heads that came.
    var requests: [String] { heads.all.withLock { $0 } }

    private final class Heads: Sendable { let all = Mutex<[String]>([]) }

    init(_ answers: [String]) throws {
        let heads = Heads()
        self.heads = heads
        server = try RawServer { connection in
            guard let head = connection.readHead() else { return }
            let number = heads.all.withLock { heads in
                heads.append(head + "\r\n")
                return heads.count
            }
            guard number <= answers.count else { return }
            connection.write(answers[number - 1])
            // Unread bytes of a request would make the kernel drop what was just sent.
            connection.endWriting()
            connection.waitForClose()
        }
    }
}

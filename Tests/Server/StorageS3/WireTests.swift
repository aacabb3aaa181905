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
    let port: UInt16
    private let listener: Int32
    private let heads: Heads

    /// The request heads that came.
    var requests: [String] { heads.all.withLock { $0 } }

    private final class Heads: Sendable { let all = Mutex<[String]>([]) }

    init(_ answers: [String]) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) | listen(listener, 8) | getsockname(listener, $0, &length)
            }
        }
        guard status == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
        let heads = Heads()
        (self.listener, self.heads, port) = (listener, heads, UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread {
            var next = answers.makeIterator()
            while case let connection = accept(listener, nil, nil), connection >= 0 {
                guard let answer = next.next() else {
                    close(connection)
                    continue
                }
                Self.answer(connection, answer, heads)
            }
            close(listener)
        }
    }

    private static func answer(_ connection: Int32, _ answer: String, _ heads: Heads) {
        defer { close(connection) }
        var (head, byte) = ([UInt8](), UInt8(0))
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard recv(connection, &byte, 1, 0) == 1 else { return }
            head.append(byte)
        }
        heads.all.withLock { $0.append(String(decoding: head, as: UTF8.self)) }
        let bytes = Array(answer.utf8)
        _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        // Without this, unread bytes of a request would make the kernel drop what was just sent.
        shutdown(connection, Int32(SHUT_WR))
        while recv(connection, &byte, 1, 0) == 1 {}
    }

    deinit {
        // Ends `accept`, whose thread then closes the descriptor.
        shutdown(listener, Int32(SHUT_RDWR))
    }
}

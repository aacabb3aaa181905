import Foundation
import HearthTestSupport
import HearthTransport
import Synchronization
import Testing

@Suite("Uploads") struct UploadTests {
    let client = TestClient.make()
    let bytes = Self.sample

    /// Longer than a megabyte: from there on curl asks for permission first (`Expect: 100-continue`).
    static let sample = (0..<1_500_000).map { UInt8(truncatingIfNeeded: $0 &* 13) }

    /// A server that remembers the requests it got.
    final class Recorder: Sendable {
        let requests = Mutex<[RawRequest]>([])

        func server() throws -> RawServer {
            try RawServer(always: { request in
                self.requests.withLock { $0.append(request) }
                return TestClient.answer("ok")
            })
        }

        var last: RawRequest? { requests.withLock { $0.last } }
    }

    @Test("Bytes arrive whole", arguments: ["POST", "PUT", "PATCH", "DELETE"])
    func bytesBody(method: String) throws {
        let recorder = Recorder()
        let server = try recorder.server()
        _ = try client.send(TransportRequest(method: method, url: server.url(), body: .bytes(Array("data".utf8))))
        #expect(recorder.last?.line == "\(method) / HTTP/1.1")
        #expect(recorder.last?.body == Array("data".utf8))
        #expect(recorder.last?.header("Content-Length") == "4")
    }

    @Test("A request that may have a body says so when it is empty", arguments: ["POST", "PUT", "PATCH"])
    func emptyBody(method: String) throws {
        let recorder = Recorder()
        let server = try recorder.server()
        _ = try client.send(TransportRequest(method: method, url: server.url()))
        #expect(recorder.last?.header("Content-Length") == "0")
        _ = try client.send(TransportRequest(method: method, url: server.url(), body: .bytes([])))
        #expect(recorder.last?.header("Content-Length") == "0")
    }

    @Test("Only long bodies ask for permission first", arguments: [((1 << 20) - 1, nil), (1 << 20, "100-continue")])
    func expectation(length: Int, expected: String?) throws {
        let recorder = Recorder()
        let server = try recorder.server()
        _ = try client.send(
            TransportRequest(method: "PUT", url: server.url(), body: .bytes(Array(bytes.prefix(length)))))
        #expect(recorder.last?.header("Expect") == expected)
        #expect(recorder.last?.body.count == length)
    }

    @Test("Of a file, as many bytes are sent as were asked for", arguments: [0, 1, 1_200_000])
    func filePart(length: Int) throws {
        let recorder = Recorder()
        let server = try recorder.server()
        let path = try TemporaryFile(bytes)
        let body = TransportRequest.Body.file(path: path.path, offset: 100, length: UInt64(length))
        _ = try client.send(TransportRequest(method: "PUT", url: server.url(), body: body))
        #expect(recorder.last?.body == Array(bytes[100..<100 + length]))
    }

    @Test("A file is sent from its offset to its end", arguments: [0, 1, 1_499_999, 1_500_000])
    func fileBody(offset: Int) throws {
        let recorder = Recorder()
        let server = try recorder.server()
        let path = try TemporaryFile(bytes)
        _ = try client.send(
            TransportRequest(method: "PUT", url: server.url(), body: .file(path: path.path, offset: UInt64(offset))))
        #expect(recorder.last?.body == Array(bytes[offset...]))
    }

    @Test("Progress grows and ends at the whole")
    func progress() throws {
        let server = try Recorder().server()
        let reports = Mutex<[UInt64]>([])
        let totals = Mutex<Set<UInt64?>>([])
        let total = UInt64(bytes.count)
        _ = try client.send(
            TransportRequest(
                method: "POST", url: server.url(), body: .bytes(bytes),
                uploadProgress: { sent, total in
                    reports.withLock { $0.append(sent) }
                    totals.withLock { _ = $0.insert(total) }
                }))
        #expect(reports.withLock { $0.last } == total)
        #expect(reports.withLock { $0 == $0.sorted() })
        #expect(totals.withLock { $0 } == [total])
    }

    @Test("A missing file, a folder, a named pipe and an offset beyond the end are refused")
    func unreadableFiles() throws {
        let server = try Recorder().server()
        let folder = try TemporaryFolder()
        let pipe = folder.path + "/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        let short = try folder.write([1, 2, 3], to: "short")
        let bodies: [TransportRequest.Body] = [
            .file(path: folder.path + "/none"), .file(path: folder.path), .file(path: pipe),
            .file(path: short, offset: 4), .file(path: short, offset: .max),
            .file(path: short, offset: 1, length: 3), .file(path: short, length: .max), .file(path: short + "\0.txt"),
        ]
        for body in bodies {
            let error = TestClient.error(TransportRequest(method: "PUT", url: server.url(), body: body))
            #expect(error?.code == .bodyUnreadable)
        }
        #expect(server.connectionCount == 0)
    }

    @Test("A file that shrinks while it is sent ends the upload")
    func shrinkingFile() throws {
        let file = try TemporaryFile(bytes)
        // The expect handshake gives a moment after the length was announced and before the first byte is read.
        let server = try RawServer { connection in
            _ = connection.readHead()
            truncate(file.path, 1000)
            connection.write("HTTP/1.1 100 Continue\r\n\r\n")
            connection.waitForClose()
        }
        let error = TestClient.error(TransportRequest(method: "PUT", url: server.url(), body: .file(path: file.path)))
        #expect(error?.code == .bodyUnreadable)
    }

    @Test("An early refusal is an answer, not a broken upload")
    func earlyRefusal() throws {
        let server = try RawServer { connection in
            _ = connection.readHead()
            connection.write(TestClient.answer("too big", status: "413 Too Large", headers: "Connection: close\r\n"))
            connection.waitForClose()
        }
        let response = try client.send(TransportRequest(method: "POST", url: server.url(), body: .bytes(bytes)))
        #expect(response.status == 413)
    }

    @Test("When a kept connection is dead, an idempotent upload starts over from its beginning")
    func deadConnection() throws {
        let recorder = Recorder()
        let connections = Counter()
        let server = try RawServer { connection in
            connections.increment()
            guard let first = connection.readRequest() else { return }
            recorder.requests.withLock { $0.append(first) }
            connection.write(TestClient.answer("ok"))
            if connections.value == 1 {
                // Takes the second request, body and all, and hangs up on it without a word.
                _ = connection.readRequest()
            }
        }
        let body = Array(bytes.prefix(100_000))
        _ = try client.send(TransportRequest(method: "PUT", url: server.url(), body: .bytes([1])))
        _ = try client.send(TransportRequest(method: "PUT", url: server.url(), body: .bytes(body)))
        #expect(recorder.last?.body == body)
        #expect(server.connectionCount == 2)
    }
}

/// A file in a folder of its own, deleted with it.
struct TemporaryFile {
    private let folder: TemporaryFolder
    let path: String

    init(_ bytes: [UInt8]) throws {
        folder = try TemporaryFolder()
        path = try folder.write(bytes, to: "file")
    }
}

import Foundation
import Glibc
import HearthHTTP
import HearthTestSupport
import Testing

@testable import HearthServer

/// In which order a server starts.
struct ServerTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func server(port: UInt16 = 0, files: OpenFileLimit = OpenFileLimit()) throws -> Server {
        let flags = ["data": folder.path + "/data", "port": "\(port)", "log-level": "error"]
        var configuration = try SettingsReader(flags: flags, environment: [:], file: nil).configuration
        configuration.probeProgram = "/bin/false"
        return try Server(configuration, files: files)
    }

    private func freePort() throws -> UInt16 {
        let server = try server()
        defer { server.stop() }
        return try #require(URLComponents(string: server.start().url)?.port.flatMap(UInt16.init(exactly:)))
    }

    /// Whether a server listens there.
    private func isOpen(_ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        return connects(descriptor, to: port)
    }

    /// All that comes until the server closes.
    private func answer(to request: String, on port: UInt16) throws -> String {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        try #require(connects(descriptor, to: port))
        try #require(send(descriptor, request, request.utf8.count, 0) == request.utf8.count)
        var answer: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while case let count = recv(descriptor, &chunk, chunk.count, 0), count > 0 { answer += chunk[..<count] }
        return String(decoding: answer, as: UTF8.self)
    }

    private func connects(_ descriptor: Int32, to port: UInt16) -> Bool {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    @Test func aServerWithDamagedCredentialsDoesNotServe() throws {
        let port = try freePort()
        let damaged = folder.path + "/data/credentials/admin-service-account.json"
        try "not JSON".write(toFile: damaged, atomically: true, encoding: .utf8)
        let server = try server(port: port)
        #expect(throws: (any Error).self) { try server.start() }
        #expect(!isOpen(port))
    }

    /// Nothing is made for an address that the server does not get.
    @Test func aPortThatIsTakenLeavesNothing() throws {
        let other = HTTPServer(configuration: HTTPServerConfiguration(), handler: EmptyHandler())
        try other.start()
        #expect(throws: HTTPServerError.self) { try server(port: other.port) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    @Test func aFolderOfSomethingElseIsLeftAsItIs() throws {
        let data = folder.path + "/data"
        try FileManager.default.createDirectory(atPath: data + "/blobs", withIntermediateDirectories: true)
        let foreign = try folder.write([1], to: "data/thesis.txt")
        let error = #expect(throws: ServerStartError.self) { try server() }
        #expect(error?.description.contains("'thesis.txt'") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: data).sorted() == ["blobs", "thesis.txt"])
        // What a first start that was cut short may leave, and the system in the top folder of a disk.
        try FileManager.default.removeItem(atPath: foreign)
        for name in ["keys", "lost+found"] {
            try FileManager.default.createDirectory(atPath: data + "/" + name, withIntermediateDirectories: true)
        }
        for name in ["lock", "hearth.sqlite-wal"] { _ = try folder.write([], to: "data/" + name) }
        try server().stop()
        // With its database the folder belongs to the server, whatever other files it has.
        _ = try folder.write([1], to: "data/notes.txt")
        try server().stop()
    }

    /// The server is still ready.
    @Test func aServerWithFewFilesSaysThatItServesFewerConnections() throws {
        let server = try server(files: OpenFileLimit(soft: 600, hard: 600))
        defer { server.stop() }
        let port = try #require(URLComponents(string: server.start().url)?.port.flatMap(UInt16.init(exactly:)))
        let text = try answer(to: "GET /readyz HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", on: port)
        #expect(text.hasPrefix("HTTP/1.1 200 "))
        #expect(text.contains("\r\n\r\nok\nnote: serving at most 150 connections"))
        #expect(text.contains("not 2048, because this process may open only 600 files"))
    }

    private struct EmptyHandler: RequestHandler {
        func plan(for head: RequestHead) -> RequestPlan { .answer(.text("")) }
    }
}

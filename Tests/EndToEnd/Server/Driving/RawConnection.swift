import EndToEndDriving
import Glibc
import HearthWire
import Testing

/// A connection to a local port on which a test says exactly the bytes it wants, and no more.
final class RawConnection {
    private let socket: Int32

    init(port: UInt16) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var timeout = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else {
            let reason = String(cString: strerror(errno))
            throw RunningProgram.Failure(description: "Cannot connect to port \(port): \(reason)")
        }
    }

    deinit { close(socket) }

    func send(_ bytes: some Collection<UInt8>) throws {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { throw RunningProgram.Failure(description: "The server closed the connection.") }
            rest = rest.dropFirst(count)
        }
    }

    /// Sends `request` and returns what comes back until the server closes.
    func exchange(_ request: String) throws -> String {
        try send(request.utf8)
        var reply: [UInt8] = []
        while let chunk = receive() { reply += chunk }
        return String(decoding: reply, as: UTF8.self)
    }

    /// The next bytes; nil at the end.
    func receive() -> [UInt8]? {
        var chunk = [UInt8](repeating: 0, count: 4096)
        let count = recv(socket, &chunk, chunk.count, 0)
        return count > 0 ? Array(chunk[..<count]) : nil
    }
}

/// An upload that stops half way: the server has the first half of the bytes in quarantine and waits for more.
struct PartialUpload {
    let connection: RawConnection

    /// Returns when the server has written all that was sent.
    init(_ server: ServerProcess, bytes: [UInt8]) throws {
        let key = try server.adminKey()
        let token = try Self.accessToken(key, port: server.port)
        connection = try RawConnection(port: server.port)
        try connection.send(
            """
            POST /hearth/v1/projects/\(key.projectID)/uploads?name=half.tflite HTTP/1.1\r
            Host: 127.0.0.1\r
            Authorization: Bearer \(token)\r
            Content-Length: \(bytes.count)\r
            \r\n
            """.utf8)
        let half = bytes.count / 2
        try connection.send(bytes.prefix(half))
        let arrived = try Deadline.wait { try server.quarantinedBytes() == half }
        try #require(arrived)
    }

    private static func accessToken(_ key: ServiceAccountKey, port: UInt16) throws -> String {
        let form = "grant_type=client_credentials&client_id=\(key.clientID)&client_secret=\(key.clientSecret)"
        let reply = try RawConnection(port: port).exchange(
            """
            POST /token HTTP/1.1\r
            Host: 127.0.0.1\r
            Connection: close\r
            Content-Type: application/x-www-form-urlencoded\r
            Content-Length: \(form.utf8.count)\r
            \r
            \(form)
            """)
        let body = try #require(reply.firstRange(of: "\r\n\r\n")).upperBound
        return try WireJSON.decode(TokenBodies.Response.self, from: reply[body...].utf8).accessToken
    }
}

extension ServerProcess {
    /// Whether it answers its health route.
    func isHealthy() throws -> Bool {
        let reply = try RawConnection(port: port).exchange(
            "GET /healthz HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        return reply.hasPrefix("HTTP/1.1 200 ") && reply.hasSuffix("ok\n")
    }
}

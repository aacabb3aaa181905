import Glibc

/// A blocking socket that speaks HTTP by hand, so that tests control every byte. Reads give up after a minute: the machine
/// may be busy with much else.
final class RawClient {
    struct Failure: Error {
        let text: String
    }

    struct Reply {
        let status: Int
        let headers: [String: String]
        var body: [UInt8]

        var text: String { String(decoding: body, as: UTF8.self) }
    }

    private let socket: Int32
    private var buffer: [UInt8] = []

    /// - Parameter loopback: the last part of the address 127.0.0.x that it connects from.
    init(port: UInt16, isIPv6: Bool = false, loopback: UInt8 = 1) throws {
        socket = Glibc.socket(isIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard socket >= 0 else { throw Failure(text: "socket: \(errno)") }
        var timeout = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var v4 = sockaddr_in()
        v4.sin_family = sa_family_t(AF_INET)
        v4.sin_port = port.bigEndian
        v4.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var v6 = sockaddr_in6()
        v6.sin6_family = sa_family_t(AF_INET6)
        v6.sin6_port = port.bigEndian
        v6.sin6_addr = in6addr_loopback
        if loopback != 1 {
            var own = sockaddr_in()
            own.sin_family = sa_family_t(AF_INET)
            own.sin_addr.s_addr = UInt32(0x7F00_0000 | UInt32(loopback)).bigEndian
            let isBound = withUnsafePointer(to: &own) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            guard isBound == 0 else { throw Failure(text: "127.0.0.\(loopback) is no address of this machine") }
        }
        let result = isIPv6 ? Self.connect(socket, &v6) : Self.connect(socket, &v4)
        guard result == 0 else { throw Failure(text: "connect: \(errno)") }
    }

    /// Also of a client whose `init` threw, since `socket` was set by then.
    deinit { Glibc.close(socket) }

    private static func connect<Address>(_ socket: Int32, _ address: inout Address) -> Int32 {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(socket, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress! + sent, $0.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failure(text: "send: \(errno)") }
            sent += count
        }
    }

    /// Sends a byte now and then until the server has closed; gives up after a minute.
    func sendSlowly(_ byte: UInt8 = UInt8(ascii: "a")) {
        let end = ContinuousClock.now + .seconds(60)
        var waiting = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        while ContinuousClock.now < end, (try? send([byte])) != nil {
            if poll(&waiting, 1, 50) > 0 { return }
        }
    }

    /// Tells the server that no more comes, keeping the other direction open.
    func endSending() { shutdown(socket, Int32(SHUT_WR)) }

    /// Closes with a reset: unread data is thrown away.
    func reset() {
        var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
        // The descriptor stays valid for `deinit`; connecting to nowhere drops the connection at once.
        var nowhere = sockaddr()
        nowhere.sa_family = sa_family_t(AF_UNSPEC)
        _ = Glibc.connect(socket, &nowhere, socklen_t(MemoryLayout<sockaddr>.size))
    }

    /// The next reply; skips none, so an interim `100` is one too.
    func reply(toHead: Bool = false) throws -> Reply {
        let head = try readThrough("\r\n\r\n")
        let lines = head.split(separator: "\r\n").map(String.init)
        guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw Failure(text: "no status line in \(head)")
        }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers[parts[0].lowercased()] = parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""
        }
        var reply = Reply(status: status, headers: headers, body: [])
        if !toHead, status >= 200, let length = headers["content-length"].flatMap({ Int($0) }) {
            while buffer.count < length { try fill() }
            reply.body = Array(buffer.prefix(length))
            buffer.removeFirst(length)
        }
        return reply
    }

    func exchange(_ text: String, toHead: Bool = false) throws -> Reply {
        try send(text)
        return try reply(toHead: toHead)
    }

    /// Whether the server closes now, cleanly or not, without sending more.
    func isClosedByServer() -> Bool {
        guard buffer.isEmpty else { return false }
        var byte: UInt8 = 0
        let count = recv(socket, &byte, 1, 0)
        return count == 0 || (count < 0 && errno == ECONNRESET)
    }

    /// Reads and throws away a reply's body of `length` bytes.
    func skip(_ length: Int) throws {
        var left = length - buffer.count
        buffer = []
        while left > 0 {
            try fill()
            left -= buffer.count
            buffer = []
        }
    }

    /// The next `length` bytes.
    func take(_ length: Int) throws -> [UInt8] {
        while buffer.count < length { try fill() }
        defer { buffer.removeFirst(length) }
        return Array(buffer.prefix(length))
    }

    /// Reads and throws away whatever comes until the server closes.
    func skipToEnd() {
        repeat { buffer = [] } while (try? fill()) != nil
    }

    private func readThrough(_ end: String) throws -> String {
        let end = Array(end.utf8)
        var start = 0
        while true {
            if let index = buffer.indices.dropFirst(start).first(where: { buffer[$0...].starts(with: end) }) {
                let head = String(decoding: buffer[..<index], as: UTF8.self)
                buffer.removeFirst(index + end.count)
                return head
            }
            start = max(0, buffer.count - end.count)
            try fill()
        }
    }

    private func fill() throws {
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        let count = recv(socket, &chunk, chunk.count, 0)
        guard count > 0 else { throw Failure(text: count == 0 ? "closed by the server" : "recv: \(errno)") }
        buffer += chunk[..<count]
    }
}

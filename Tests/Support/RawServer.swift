import Foundation
import Synchronization

/// A server on a loopback port that speaks whatever bytes a test's handler writes, right or wrong. Each connection
/// gets a thread; a handler returns to close its connection. Stops when the last reference goes.
package final class RawServer: Sendable {
    package typealias Handler = @Sendable (RawConnection) -> Void

    package let port: UInt16
    private let listener: Int32
    private let accepted: Counter

    /// The number of connections so far.
    package var connectionCount: Int { accepted.value }

    package init(_ handler: @escaping Handler) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) | listen(listener, 64) | getsockname(listener, $0, &length)
            }
        }
        guard status == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
        let accepted = Counter()
        (self.listener, self.accepted, port) = (listener, accepted, UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread { Self.serve(listener, accepted, handler) }
    }

    /// Answers every request on every connection with `answer`.
    package convenience init(always answer: @escaping @Sendable (RawRequest) -> String) throws {
        try self.init { connection in
            while let request = connection.readRequest() {
                connection.write(answer(request))
            }
        }
    }

    package func url(_ path: String = "/", host: String = "127.0.0.1") -> String {
        "http://\(host):\(port)\(path)"
    }

    /// A port on which nobody listens: taken, and given back at once.
    package static func closedPort() throws -> UInt16 {
        try RawServer { _ in }.port
    }

    private static func serve(_ listener: Int32, _ accepted: Counter, _ handler: @escaping Handler) {
        while case let descriptor = accept(listener, nil, nil), descriptor >= 0 {
            accepted.increment()
            Thread.detachNewThread {
                handler(RawConnection(takingOwnershipOf: descriptor))
            }
        }
        close(listener)
    }

    deinit {
        // Ends `accept`, whose thread then closes the descriptor.
        shutdown(listener, Int32(SHUT_RDWR))
    }
}

/// A number that threads share.
package final class Counter: Sendable {
    private let number = Mutex(0)

    package init() {}

    package var value: Int { number.withLock { $0 } }

    package func increment() {
        number.withLock { $0 += 1 }
    }
}

/// A request as it came over the wire.
package struct RawRequest: Sendable {
    /// Request line and headers, without the empty line.
    package let head: String
    package let body: [UInt8]

    package var line: String { head.components(separatedBy: "\r\n")[0] }

    package func header(_ name: String) -> String? {
        let prefix = name.lowercased() + ":"
        return head.components(separatedBy: "\r\n").first { $0.lowercased().hasPrefix(prefix) }
            .map { $0.dropFirst(prefix.count).trimmingCharacters(in: .whitespaces) }
    }
}

/// One accepted connection. Used by one thread; closes with its last reference.
package final class RawConnection {
    private let descriptor: Int32
    private var buffered: [UInt8] = []

    package init(takingOwnershipOf descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// A connection to a port of this machine; `nil` when nobody listens there.
    package convenience init?(connectingToPort port: UInt16) {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        address.sin_port = port.bigEndian
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.init(takingOwnershipOf: descriptor)
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { return nil }
    }

    /// Passes bytes on in both directions until either side closes, or `pass` returns nil. It gets each piece, and whether the
    /// piece comes from `other`, and returns what the other side gets of it.
    package func exchange(
        with other: RawConnection, pass: (_ piece: [UInt8], _ isAnswer: Bool) -> [UInt8]? = { piece, _ in piece }
    ) {
        var sides = [descriptor, other.descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while poll(&sides, nfds_t(sides.count), -1) > 0 {
            for (side, peer) in [(0, other), (1, self)] where sides[side].revents != 0 {
                var piece = [UInt8](repeating: 0, count: 65_536)
                let count = recv(sides[side].fd, &piece, piece.count, 0)
                guard count > 0 else { return }
                guard let passed = pass(Array(piece.prefix(count)), side == 1) else { return }
                peer.write(passed)
            }
        }
    }

    /// Reads a request with a `Content-Length` body; `nil` when the client has gone.
    package func readRequest() -> RawRequest? {
        guard let head = readHead() else { return nil }
        let length = RawRequest(head: head, body: []).header("content-length").flatMap { Int($0) } ?? 0
        if RawRequest(head: head, body: []).header("expect") != nil {
            write("HTTP/1.1 100 Continue\r\n\r\n")
        }
        while buffered.count < length {
            guard fill() else { return nil }
        }
        defer { buffered.removeFirst(length) }
        return RawRequest(head: head, body: Array(buffered.prefix(length)))
    }

    /// Reads request line and headers only.
    package func readHead() -> String? {
        let end = Array("\r\n\r\n".utf8)
        while true {
            if let range = buffered.firstRange(of: end) {
                defer { buffered.removeFirst(range.upperBound) }
                return String(decoding: buffered[..<range.lowerBound], as: UTF8.self)
            }
            guard fill() else { return nil }
        }
    }

    package func write(_ text: String) {
        write(Array(text.utf8))
    }

    package func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Ends what the client reads.
    package func endWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Says nothing more and waits until the client gives up.
    package func waitForClose() {
        while fill() {}
    }

    private func fill() -> Bool {
        var piece = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &piece, piece.count, 0)
        guard count > 0 else { return false }
        buffered.append(contentsOf: piece.prefix(count))
        return true
    }

    deinit {
        close(descriptor)
    }
}

import Foundation

/// A request as it came over the wire.
struct RawRequest: Sendable {
    /// Request line and headers, without the empty line.
    let head: String
    let body: [UInt8]

    var line: String { head.components(separatedBy: "\r\n")[0] }

    func header(_ name: String) -> String? {
        let prefix = name.lowercased() + ":"
        return head.components(separatedBy: "\r\n").first { $0.lowercased().hasPrefix(prefix) }
            .map { $0.dropFirst(prefix.count).trimmingCharacters(in: .whitespaces) }
    }
}

/// One accepted connection. Used by one thread; closes with its last reference.
final class RawConnection {
    private let descriptor: Int32
    private var buffered: [UInt8] = []

    init(takingOwnershipOf descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// A connection to a port of this machine; `nil` when nobody listens there.
    convenience init?(connectingToPort port: UInt16) {
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

    /// Passes bytes on in both directions until either side closes.
    func exchange(with other: RawConnection) {
        var sides = [descriptor, other.descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while poll(&sides, nfds_t(sides.count), -1) > 0 {
            for (side, peer) in [(0, other), (1, self)] where sides[side].revents != 0 {
                var piece = [UInt8](repeating: 0, count: 65_536)
                let count = recv(sides[side].fd, &piece, piece.count, 0)
                guard count > 0 else { return }
                peer.write(Array(piece.prefix(count)))
            }
        }
    }

    /// Reads a request with a `Content-Length` body; `nil` when the client has gone.
    func readRequest() -> RawRequest? {
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
    func readHead() -> String? {
        let end = Array("\r\n\r\n".utf8)
        while true {
            if let range = buffered.firstRange(of: end) {
                defer { buffered.removeFirst(range.upperBound) }
                return String(decoding: buffered[..<range.lowerBound], as: UTF8.self)
            }
            guard fill() else { return nil }
        }
    }

    func write(_ text: String) {
        write(Array(text.utf8))
    }

    func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Says nothing more and waits until the client gives up.
    func waitForClose() {
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

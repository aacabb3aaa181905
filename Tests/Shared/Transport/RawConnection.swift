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

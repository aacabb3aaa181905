import Foundation
import Synchronization

/// A server on a loopback port that speaks whatever bytes a test's handler writes, right or wrong. Each connection
/// gets a thread; a handler returns to close its connection. Stops when the last reference goes.
final class RawServer: Sendable {
    typealias Handler = @Sendable (RawConnection) -> Void

    let port: UInt16
    private let listener: Int32
    private let accepted: Counter

    /// The number of connections so far.
    var connectionCount: Int { accepted.value }

    init(_ handler: @escaping Handler) throws {
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
    convenience init(always answer: @escaping @Sendable (RawRequest) -> String) throws {
        try self.init { connection in
            while let request = connection.readRequest() {
                connection.write(answer(request))
            }
        }
    }

    func url(_ path: String = "/", host: String = "127.0.0.1") -> String {
        "http://\(host):\(port)\(path)"
    }

    /// A port on which nobody listens: taken, and given back at once.
    static func closedPort() throws -> UInt16 {
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
final class Counter: Sendable {
    private let number = Mutex(0)

    var value: Int { number.withLock { $0 } }

    func increment() {
        number.withLock { $0 += 1 }
    }
}

internal import Synchronization

/// An address and port taken before there is a server for it: whoever connects waits. Given back when this object goes
/// and no server has taken it over.
public final class HTTPPort: Sendable {
    /// The number; that of the free port where 0 was asked for.
    public let number: UInt16
    private let socket: Mutex<ListeningSocket?>

    /// - Parameters:
    ///   - address: as in `HTTPServerConfiguration`.
    ///   - port: as there.
    public init(address: String, port: UInt16) throws(HTTPServerError) {
        let opened = try ListeningSocket(address: address, port: port)
        number = opened.port
        socket = Mutex(opened)
    }

    deinit { take()?.close() }

    /// The socket, once; the caller owns it then.
    func take() -> ListeningSocket? {
        socket.withLock { socket in
            defer { socket = nil }
            return socket
        }
    }
}

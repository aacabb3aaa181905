internal import CMicroHTTPD
internal import Glibc

/// Checks the first bytes of a TLS connection. If they are plain HTTP, the answer tells the peer to use `https://`.
/// GnuTLS alone would take them for the head of a long record, and wait for the rest of it until the idle timeout.
///
/// Lives as long as its connection, and is used on the connection's thread only.
final class PlainHTTPDetector {
    /// The certificate of this connection. A reload replaces that of later connections only.
    let credentials: TLSCredentials?
    private let socket: Int32
    private let service: ServerContext
    private var isOver = false
    private var isRefused = false

    init(socket: Int32, service: ServerContext) {
        credentials = service.credentials
        self.socket = socket
        self.service = service
    }

    /// Receives like `recv`, which it wraps. Fails permanently for a peer that speaks plain HTTP.
    func receive(into data: UnsafeMutableRawPointer, _ size: Int) -> Int {
        guard !isRefused else { return Self.failure() }
        let count = recv(socket, data, size, 0)
        guard !isOver, count > 0 else { return count }
        isOver = true
        // A method begins with a capital letter, and no TLS record does.
        isRefused = (0x41...0x5A).contains(data.load(as: UInt8.self))
        guard isRefused else { return count }
        refuse()
        return Self.failure()
    }

    private static func failure() -> Int {
        errno = ECONNRESET
        return -1
    }

    private func refuse() {
        let bytes = ResponseBytes.encode(service.errors(.plainOnTLS), isHead: false)
        _ = bytes.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        OpenConnections.endSending(socket)
        // The rest of the request is still arriving.
        let duplicate = fcntl(socket, F_DUPFD_CLOEXEC, 0)
        if duplicate >= 0 { service.lingering.adopt(duplicate) }
    }
}

internal import Glibc

/// The first bytes that come on a TLS connection. Where they are plain HTTP, the peer is told to use `https://`: GnuTLS alone
/// would take them for the head of a long record, and wait for the rest of it until the connection idles out.
///
/// Lives as long as its connection, and is used on the connection's thread only.
final class TLSGreeting {
    /// What the connection shows. A reload replaces that of later connections only.
    let credentials: TLSCredentials?
    private let socket: Int32
    private let service: Service
    private var isOver = false
    private var isRefused = false

    init(socket: Int32, service: Service) {
        credentials = service.credentials
        self.socket = socket
        self.service = service
    }

    /// Receives as `recv` does, which it wraps; fails for good on a peer that speaks plain HTTP.
    func receive(into data: UnsafeMutableRawPointer, _ size: Int) -> Int {
        guard !isRefused else { return Self.failure() }
        let count = recv(socket, data, size, 0)
        guard !isOver, count > 0 else { return count }
        isOver = true
        // A method begins with a capital letter, and no record of TLS does.
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
        let bytes = RefusalBytes.encode(service.errors(.plainOnTLS), isHead: false)
        _ = bytes.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        OpenConnections.endSending(socket)
        // The rest of the request still comes.
        let duplicate = fcntl(socket, F_DUPFD_CLOEXEC, 0)
        if duplicate >= 0 { service.lingering.adopt(duplicate) }
    }
}

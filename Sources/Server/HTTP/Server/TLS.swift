internal import CMicroHTTPD
internal import Glibc

/// The only owner of a certificate and key in the form of GnuTLS. Connections keep it while they are open.
///
/// `@unchecked Sendable`: the pointer is a constant, GnuTLS only reads the memory behind it from then on, and `deinit`
/// frees it once, when no connection uses it any more.
final class TLSCredentials: @unchecked Sendable {
    let handle: UnsafeMutableRawPointer

    init(_ tls: HTTPServerConfiguration.TLS) throws(HTTPServerError) {
        var handle: UnsafeMutableRawPointer?
        let status = mhd_make_credentials(tls.certificatePEM, tls.privateKeyPEM, &handle)
        guard status == 0, let handle else {
            throw HTTPServerError(
                code: .invalidTLS,
                message: "The TLS certificate or key was refused; give a PEM chain and its unencrypted PEM key.")
        }
        self.handle = handle
    }

    deinit { gnutls_certificate_free_credentials(handle) }
}

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

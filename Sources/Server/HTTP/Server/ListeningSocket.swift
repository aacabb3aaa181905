// Clang assigns `struct sockaddr` to the first module whose headers include it.
internal import CMicroHTTPD
internal import Glibc

/// A bound, listening, non-blocking TCP socket, until a daemon takes ownership of it; the daemon closes it when it
/// stops. Its one owner is `HTTPServer`'s state.
///
/// The server makes the socket itself, because libmicrohttpd reports all failures in the same way.
struct ListeningSocket {
    let descriptor: Int32
    let port: UInt16
    private let inode: ino_t

    init(address: String, port: UInt16) throws(HTTPServerError) {
        let place = address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
        var failure: Int32 = 0
        let opened = SocketAddress.withAddress(address, port: port) { sockaddr, length -> Int32 in
            let descriptor = Self.open(sockaddr, length)
            failure = errno
            return descriptor
        }
        guard let descriptor = opened else {
            throw HTTPServerError(
                code: .invalidAddress, message: "'\(address)' is not a numeric IPv4 or IPv6 address; give one.")
        }
        guard descriptor >= 0 else { throw .listening(on: place, errno: failure) }
        self.descriptor = descriptor
        self.port = Self.boundPort(descriptor)
        inode = Self.inode(of: descriptor)
    }

    /// For a socket that no daemon took.
    func close() { Glibc.close(descriptor) }

    /// libmicrohttpd closes the socket after some of its failures only. This closes it if it is still open.
    func closeAfterFailedStart() {
        if Self.inode(of: descriptor) == inode { close() }
    }

    /// A new socket, or -1 with the cause in `errno`.
    private static func open(_ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
        let family = Int32(address.pointee.sa_family)
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(family, kind, 0)
        guard descriptor >= 0 else { return -1 }
        set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
        if family == AF_INET6 { set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 0) }
        guard bind(descriptor, address, length) == 0, listen(descriptor, SOMAXCONN) == 0 else {
            let cause = errno
            Glibc.close(descriptor)
            errno = cause
            return -1
        }
        return descriptor
    }

    private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        _ = setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func boundPort(_ descriptor: Int32) -> UInt16 {
        var address = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = getsockname(descriptor, $0, &length)
            }
        }
        // The port has the same offset in both families.
        return UInt16(bigEndian: address.sin6_port)
    }

    private static func inode(of descriptor: Int32) -> ino_t {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? status.st_ino : 0
    }
}

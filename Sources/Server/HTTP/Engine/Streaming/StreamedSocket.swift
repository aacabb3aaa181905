internal import Glibc

/// A connection of libmicrohttpd that sends a stream.
struct StreamedSocket: StreamedConnection {
    let connection: Connection
    /// Read ahead: libmicrohttpd tells it on the connection's own thread only.
    let socket: Int32

    func suspend() { connection.suspend() }

    func resume() { connection.resume() }

    func hangUp() { _ = shutdown(socket, Int32(SHUT_RDWR)) }
}

internal import Dispatch
internal import Glibc
internal import Synchronization

/// The sockets of a daemon's connections, so that a stop can end them before the daemon ends.
///
/// libmicrohttpd takes a connection out (`closed`) before it closes its socket, so a descriptor in the set is never
/// somebody else's.
final class OpenConnections: Sendable {
    private let sockets = Mutex<Set<Int32>>([])
    private let group = DispatchGroup()

    func opened(_ socket: Int32) {
        group.enter()
        sockets.withLock { _ = $0.insert(socket) }
    }

    func closed(_ socket: Int32) {
        sockets.withLock { _ = $0.remove(socket) }
        group.leave()
    }

    /// Ends every connection as if the peer had, and waits until libmicrohttpd has let go of them.
    func hangUp(withinSeconds seconds: Double) {
        sockets.withLock { sockets in
            for socket in sockets { _ = shutdown(socket, Int32(SHUT_RDWR)) }
        }
        _ = group.wait(timeout: .now() + seconds)
    }
}

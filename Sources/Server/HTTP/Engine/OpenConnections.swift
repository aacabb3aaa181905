internal import Dispatch
internal import Glibc
internal import Synchronization

/// The sockets of a daemon's connections, so that a stop can end them before the daemon ends.
///
/// libmicrohttpd takes a connection out (`closed`) before it closes its socket, so a descriptor in the set is never
/// somebody else's.
final class OpenConnections: Sendable {
    private let sockets = Mutex<[Int32: RequestSlot]>([:])
    private let group = DispatchGroup()

    func opened(_ socket: Int32, _ slot: RequestSlot) {
        group.enter()
        sockets.withLock { $0[socket] = slot }
    }

    func closed(_ socket: Int32) {
        sockets.withLock { _ = $0.removeValue(forKey: socket) }
        group.leave()
    }

    var count: Int { sockets.withLock { $0.count } }

    /// Ends the connections on which no request is under way. Only their reading side: a request that is arriving at this
    /// moment is still read as far as it has come, and answered.
    func closeIdle() {
        sockets.withLock { sockets in
            for (socket, slot) in sockets where !slot.isBusy { Self.endReading(socket) }
        }
    }

    /// libmicrohttpd takes it as the peer's goodbye, and closes when there is nothing left to answer.
    static func endReading(_ socket: Int32) { _ = shutdown(socket, Int32(SHUT_RD)) }

    /// Ends every connection as if the peer had, and waits until libmicrohttpd has let go of them.
    func hangUp(withinSeconds seconds: Double) {
        sockets.withLock { sockets in
            for socket in sockets.keys { _ = shutdown(socket, Int32(SHUT_RDWR)) }
        }
        _ = group.wait(timeout: .now() + seconds)
    }
}

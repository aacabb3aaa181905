internal import CMicroHTTPD
internal import Dispatch
internal import Glibc
import HearthConcurrency

/// Notices peers that disconnect while nothing is sent to them, because libmicrohttpd does not watch the socket of a
/// suspended connection. All sockets are in one epoll set, and one source watches that set.
///
/// If the set cannot be created because descriptors ran out, the server notices a disconnect when it sends the next
/// piece.
final class HangupMonitor: Sendable {
    /// Distinguishes a socket's watch from that of a later socket with the same number.
    struct Watch {
        fileprivate let id: UInt64
        fileprivate let socket: Int32
    }

    private struct State {
        var set: SocketSet?
        var bodies: [UInt64: StreamedBody] = [:]
        var lastID: UInt64 = 0
    }

    private let state = Lock(State())

    deinit { state.withLock { $0.set?.close() } }

    /// Cuts `body` when the peer of `socket` disconnects or ends its own sending. The socket must stay open until
    /// `end`.
    func begin(_ socket: Int32, _ body: StreamedBody) -> Watch {
        state.withLock { state in
            state.lastID += 1
            if state.set == nil {
                state.set = SocketSet { [weak self] ids in self?.peersHungUp(ids) }
            }
            if state.set?.add(socket, id: state.lastID) == true { state.bodies[state.lastID] = body }
            return Watch(id: state.lastID, socket: socket)
        }
    }

    func end(_ watch: Watch) {
        state.withLock { state in
            guard state.bodies.removeValue(forKey: watch.id) != nil else { return }
            state.set?.remove(watch.socket)
        }
    }

    private func peersHungUp(_ ids: [UInt64]) {
        let bodies = state.withLock { state in ids.compactMap { state.bodies[$0] } }
        for body in bodies { body.cut() }
    }
}

/// Owns one epoll descriptor. `close` cancels its source, which closes the descriptor.
///
/// `@unchecked Sendable`: the fields are constants; the kernel and libdispatch do their own locking.
private final class SocketSet: @unchecked Sendable {
    private let descriptor: Int32
    private let source: any DispatchSourceRead

    /// `nil` if descriptors ran out. `left` gets the ids of the sockets whose peers have disconnected, each id once.
    init?(left: @escaping @Sendable ([UInt64]) -> Void) {
        let descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        self.descriptor = descriptor
        source = DispatchSource.makeReadSource(
            fileDescriptor: descriptor, queue: DispatchQueue(label: "hearth.http.peers"))
        source.setEventHandler { left(Self.ready(descriptor)) }
        source.setCancelHandler { Glibc.close(descriptor) }
        source.activate()
    }

    func close() { source.cancel() }

    func add(_ socket: Int32, id: UInt64) -> Bool {
        var event = epoll_event(
            events: EPOLLRDHUP.rawValue | EPOLLONESHOT.rawValue, data: epoll_data_t(u64: id))
        return epoll_ctl(descriptor, EPOLL_CTL_ADD, socket, &event) == 0
    }

    func remove(_ socket: Int32) { _ = epoll_ctl(descriptor, EPOLL_CTL_DEL, socket, nil) }

    private static func ready(_ descriptor: Int32) -> [UInt64] {
        withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: 64) { events in
            let count = epoll_wait(descriptor, events.baseAddress, Int32(events.count), 0)
            return events.prefix(max(0, Int(count))).map(\.data.u64)
        }
    }
}

internal import CMicroHTTPD
internal import Dispatch
internal import Glibc
internal import Synchronization

/// Notices peers that go away while nothing is sent to them: libmicrohttpd does not look at the socket of a suspended
/// connection. All sockets are in one set of the kernel's (epoll), and one source watches that.
///
/// Where the set cannot be made, because descriptors ran out, a peer's going is noticed when the next piece is sent.
final class HangupMonitor: Sendable {
    /// What tells a socket's watch from that of a later socket with the same number.
    struct Watch {
        fileprivate let id: UInt64
        fileprivate let socket: Int32
    }

    private struct State {
        var set: SocketSet?
        var bodies: [UInt64: StreamedBody] = [:]
        var lastID: UInt64 = 0
    }

    private let state = Mutex(State())

    deinit { state.withLock { $0.set?.close() } }

    /// Cuts `body` when the peer of `socket`, which must stay open until `end`, goes away or ends its own sending.
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

/// The owner of one epoll descriptor, closed when its source is cancelled, which `close` does.
///
/// `@unchecked Sendable`: the fields are constants; the kernel and libdispatch lock what they stand for.
private final class SocketSet: @unchecked Sendable {
    private let descriptor: Int32
    private let source: any DispatchSourceRead

    /// `nil` where there are no descriptors. `left` is called with the ids of sockets whose peers have gone, each once.
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

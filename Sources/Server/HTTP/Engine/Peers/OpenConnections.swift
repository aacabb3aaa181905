internal import Dispatch
internal import Glibc
import HearthConcurrency
internal import Synchronization

/// The sockets of a daemon's connections, so that a stop and the sweeper can end them, and the number of connections of
/// each network.
///
/// libmicrohttpd removes a connection (`closed`) before it closes the socket. So a descriptor in the set never belongs
/// to another file.
final class OpenConnections: Sendable {
    /// The open connections, by socket, and their number by network.
    private struct State {
        var slots: [Int32: ConnectionState] = [:]
        var held: [IPAddress: Int] = [:]
    }

    private let rule: NetworkQuota
    private let state = Lock(State())
    private let group = DispatchGroup()
    private let refused = Atomic<UInt64>(0)

    init(limits: ServerLimits) {
        rule = NetworkQuota(places: limits.connections, perNetwork: limits.connectionsPerAddress)
    }

    /// How many connections were closed without an answer because their network held too many.
    var refusals: UInt64 { refused.load(ordering: .relaxed) }

    /// How many of `count` open connections are above the number at which connections become scarce.
    func excess(of count: Int) -> Int { max(0, count - rule.scarceAbove) }

    /// Whether `network` may open another connection. A trusted proxy may open any number: its connections belong to
    /// many clients, which are counted separately.
    func admits(_ network: IPAddress?, isTrustedProxy: Bool) -> Bool {
        guard let network, !isTrustedProxy else { return true }
        let isAdmitted = state.withLock { state in
            rule.admits(held: state.held[network, default: 0], taken: state.slots.count)
        }
        if !isAdmitted { refused.wrappingAdd(1, ordering: .relaxed) }
        return isAdmitted
    }

    func opened(_ socket: Int32, _ slot: ConnectionState) {
        group.enter()
        state.withLock { state in
            state.slots[socket] = slot
            if let network = slot.network { state.held[network, default: 0] += 1 }
        }
    }

    func closed(_ socket: Int32) {
        state.withLock { state in
            guard let network = state.slots.removeValue(forKey: socket)?.network, let count = state.held[network] else {
                return
            }
            // Networks without connections are removed.
            state.held[network] = count > 1 ? count - 1 : nil
        }
        group.leave()
    }

    var count: Int { state.withLock { $0.slots.count } }

    /// All connections at this moment. Any of them may end before the caller looks at it.
    var all: [(socket: Int32, slot: ConnectionState)] {
        state.withLock { state in state.slots.map { ($0.key, $0.value) } }
    }

    /// Calls `body` if the socket still belongs to that connection, and keeps it open during the call.
    func whileOpen<Result>(_ socket: Int32, _ slot: ConnectionState, _ body: () -> Result) -> Result? {
        state.withLock { state in state.slots[socket] === slot ? body() : nil }
    }

    /// The connections that a thread serves. Only that thread may read what they are doing.
    func connections(of thread: pthread_t) -> [ConnectionState] {
        state.withLock { $0.slots.values.filter { $0.thread == thread } }
    }

    /// Ends the connections without a request, by closing their reading side only. A request that is arriving right now
    /// is still read as far as it has arrived, and answered.
    func closeIdle() {
        state.withLock { state in
            for (socket, slot) in state.slots where !slot.isBusy { Self.endReading(socket) }
        }
    }

    /// libmicrohttpd treats it as the peer's closing, and closes the connection when all is answered.
    static func endReading(_ socket: Int32) { _ = shutdown(socket, Int32(SHUT_RD)) }

    /// The peer sees the end of what is sent. What the peer still sends is read.
    static func endSending(_ socket: Int32) { _ = shutdown(socket, Int32(SHUT_WR)) }

    /// Ends a connection whose peer does not read, and lets the kernel discard the bytes that it keeps for the peer.
    static func reset(_ socket: Int32) {
        var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
        _ = shutdown(socket, Int32(SHUT_RDWR))
    }

    /// Ends every connection as if the peer had closed it, and waits until libmicrohttpd has released them.
    func hangUp(withinSeconds seconds: Double) {
        state.withLock { state in
            for socket in state.slots.keys { _ = shutdown(socket, Int32(SHUT_RDWR)) }
        }
        _ = group.wait(timeout: .now() + seconds)
    }
}

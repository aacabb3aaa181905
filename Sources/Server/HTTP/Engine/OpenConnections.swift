internal import Dispatch
internal import Glibc
internal import Synchronization

/// The sockets of a daemon's connections, so that a stop and the sweeper can end them, and how many each network has.
///
/// libmicrohttpd takes a connection out (`closed`) before it closes its socket, so a descriptor in the set is never
/// somebody else's.
final class OpenConnections: Sendable {
    private struct State {
        var slots: [Int32: ConnectionState] = [:]
        var held: [IPAddress: Int] = [:]
    }

    private let rule: NetworkQuota
    private let state = Mutex(State())
    private let group = DispatchGroup()
    private let refused = Atomic<UInt64>(0)

    init(limits: ServerLimits) {
        rule = NetworkQuota(places: limits.connections, perNetwork: limits.connectionsPerAddress)
    }

    /// Connections that were closed unanswered because their network held too many.
    var refusals: UInt64 { refused.load(ordering: .relaxed) }

    /// How many of so many open connections are beyond the number from which on they are scarce.
    func excess(of count: Int) -> Int { max(0, count - rule.scarceAbove) }

    /// Whether `network` gets another connection. A trusted proxy's connections are those of many clients, who are counted by
    /// themselves: it may have any number.
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
            // Only networks with connections are remembered.
            state.held[network] = count > 1 ? count - 1 : nil
        }
        group.leave()
    }

    var count: Int { state.withLock { $0.slots.count } }

    /// All connections of this moment; any of them may be over when it is looked at.
    var all: [(socket: Int32, slot: ConnectionState)] {
        state.withLock { state in state.slots.map { ($0.key, $0.value) } }
    }

    /// Calls `body` where the socket is still open as that connection's, and keeps it open meanwhile.
    func whileOpen<Result>(_ socket: Int32, _ slot: ConnectionState, _ body: () -> Result) -> Result? {
        state.withLock { state in state.slots[socket] === slot ? body() : nil }
    }

    /// Those that a thread serves. Only it may ask what they are doing.
    func connections(of thread: pthread_t) -> [ConnectionState] {
        state.withLock { $0.slots.values.filter { $0.thread == thread } }
    }

    /// Ends the connections on which no request is under way. Only their reading side: a request that is arriving at this
    /// moment is still read as far as it has come, and answered.
    func closeIdle() {
        state.withLock { state in
            for (socket, slot) in state.slots where !slot.isBusy { Self.endReading(socket) }
        }
    }

    /// libmicrohttpd takes it as the peer's goodbye, and closes when there is nothing left to answer.
    static func endReading(_ socket: Int32) { _ = shutdown(socket, Int32(SHUT_RD)) }

    /// The peer sees the end of what is sent; what it still sends is read.
    static func endSending(_ socket: Int32) { _ = shutdown(socket, Int32(SHUT_WR)) }

    /// Ends a connection whose peer does not take what is sent, and has the kernel throw away what it still keeps for it.
    static func reset(_ socket: Int32) {
        var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
        _ = shutdown(socket, Int32(SHUT_RDWR))
    }

    /// Ends every connection as if the peer had, and waits until libmicrohttpd has let go of them.
    func hangUp(withinSeconds seconds: Double) {
        state.withLock { state in
            for socket in state.slots.keys { _ = shutdown(socket, Int32(SHUT_RDWR)) }
        }
        _ = group.wait(timeout: .now() + seconds)
    }
}

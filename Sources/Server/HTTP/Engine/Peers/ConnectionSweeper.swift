internal import Dispatch
import HearthConcurrency
internal import Synchronization

/// Checks all connections of one server about once a second, or more often if a limit is shorter than a few seconds. It
/// ends those whose peers are too slow, and, when connections are scarce, those of the networks that hold the most.
/// `PeerRateMonitor` and `ConnectionEviction` decide; this class asks the kernel and shuts sockets down, which
/// libmicrohttpd treats as the peer's closing.
///
/// The requests' only share in this is to record their phases.
final class ConnectionSweeper: Sendable {
    /// A sweep that comes later than this was delayed, as were the peers. The time beyond it does not count.
    private static let longestStep = Duration.seconds(2)
    /// How long the thread of a connection has to tell the peer why it ends. A busy machine takes a while to run it.
    private static let answerTime = Duration.seconds(1)

    /// A clock that leaves out the time in which sweeps were delayed.
    private struct Clock {
        var lastSweep = ContinuousClock.now
        /// The time during which sweeps came as planned.
        var now = Duration.zero
    }

    private let open: OpenConnections
    private let rules: PeerRateLimits
    private let pauseSeconds: Double
    private let queue = DispatchQueue(label: "hearth.http.sweeper", qos: .utility)
    private let clock = Lock(Clock())
    private let counts = Lock<[DisconnectReason: UInt64]>([:])
    private let isStopping = Atomic<Bool>(false)
    private let isStopped = Atomic<Bool>(false)

    init(open: OpenConnections, limits: ServerLimits) {
        self.open = open
        rules = PeerRateLimits(limits)
        let headSeconds = limits.headSeconds > 0 ? limits.headSeconds : .infinity
        pauseSeconds = max(0.1, min(1, headSeconds / 4, limits.rateWindowSeconds / 4))
    }

    func start() {
        queue.asyncAfter(deadline: .now() + pauseSeconds) { [weak self] in
            guard let self, !isStopped.load(ordering: .relaxed) else { return }
            sweep()
            start()
        }
    }

    /// From here on, sweeps end only those that are too slow or have left.
    func beginStopping() { isStopping.store(true, ordering: .relaxed) }

    /// No sweep runs after this call.
    func stop() {
        isStopped.store(true, ordering: .relaxed)
        queue.sync {}
    }

    /// How many connections were ended for that reason.
    func count(_ reason: DisconnectReason) -> UInt64 { counts.withLock { $0[reason, default: 0] } }

    private func sweep() {
        let now = advance()
        let slots = open.all
        var stay: [(socket: Int32, slot: ConnectionState)] = []
        for (socket, slot) in slots {
            if let end = slot.endTime, now - end < Self.answerTime || resetIfStillOpen(socket, slot) { continue }
            if survivesCheck(socket, slot, now) {
                stay.append((socket, slot))
            }
        }
        evictExcess(stay, now)
    }

    private func advance() -> Duration {
        let instant = ContinuousClock.now
        return clock.withLock { clock in
            clock.now += min(clock.lastSweep.duration(to: instant), Self.longestStep)
            clock.lastSweep = instant
            return clock.now
        }
    }

    /// Checks the connection; `false` if it has ended.
    private func survivesCheck(_ socket: Int32, _ slot: ConnectionState, _ now: Duration) -> Bool {
        let (request, phase) = slot.snapshot
        var look = PeerRateMonitor.Look(phase: phase, request: request, socket: nil)
        if phase != .working {
            guard let facts = open.whileOpen(socket, slot, { SocketStatistics(socket: socket) }) else { return false }
            look.socket = facts
            if facts?.isReadToEnd == true, phase != .answering { endReadingAgain(socket, slot) }
        }
        var pace = slot.pace ?? PeerRateMonitor(look, now: now)
        let reason = pace.judge(look, now: now, rules: rules)
        slot.pace = pace
        guard let reason else { return true }
        return !end(socket, slot, reason, now)
    }

    /// Shows libmicrohttpd the end of a peer that has left before its request was complete. Version 0.9.75 misses an end
    /// that arrives together with the last bytes: it then waits for another event of the socket, and none would come.
    private func endReadingAgain(_ socket: Int32, _ slot: ConnectionState) {
        _ = open.whileOpen(socket, slot) { OpenConnections.endReading(socket) }
    }

    /// Resets a connection that an earlier sweep ended and whose peer still sends. If a request arrived at that very
    /// moment, it is answered, and libmicrohttpd closes the connection after the answer: then the result is `false`,
    /// and the connection is checked like all others.
    private func resetIfStillOpen(_ socket: Int32, _ slot: ConnectionState) -> Bool {
        let isStillThere = open.whileOpen(socket, slot) {
            let (request, phase) = slot.snapshot
            guard slot.pace?.isAt(phase, of: request) == true else { return false }
            OpenConnections.reset(socket)
            return true
        }
        return isStillThere ?? true
    }

    private func evictExcess(_ slots: [(socket: Int32, slot: ConnectionState)], _ now: Duration) {
        let excess = open.excess(of: slots.count)
        // A server that stops needs no place for new connections.
        guard excess > 0, !isStopping.load(ordering: .relaxed) else { return }
        // Among connections that were first seen in the same sweep, the oldest one goes first.
        let slots = slots.sorted { $0.slot.opened < $1.slot.opened }
        let holders = slots.map { _, slot in
            ConnectionEviction.Holder(
                network: slot.client ?? slot.network,
                isEvictable: slot.pace?.isEvictable(now: now) ?? false, since: slot.pace?.since ?? now)
        }
        for index in ConnectionEviction.choose(excess, of: holders) {
            _ = end(slots[index].socket, slots[index].slot, .crowded, now)
        }
    }

    /// `false` if the connection has entered another phase meanwhile.
    private func end(
        _ socket: Int32, _ slot: ConnectionState, _ reason: DisconnectReason, _ now: Duration
    ) -> Bool {
        let isEnded = open.whileOpen(socket, slot) {
            let (request, phase) = slot.snapshot
            guard let pace = slot.pace, pace.isAt(phase, of: request) else { return false }
            slot.endReason = reason
            slot.endTime = now
            counts.withLock { $0[reason, default: 0] += 1 }
            // The connection's thread notices the end of reading, and can still tell a sending peer the reason.
            if phase == .answering { OpenConnections.reset(socket) } else { OpenConnections.endReading(socket) }
            return true
        }
        return isEnded ?? false
    }
}

/// Chooses the connections that end when connections are scarce.
enum ConnectionEviction {
    /// A connection, as far as it matters for the choice.
    struct Holder {
        /// `nil` if the peer's address is unknown. All such peers count as one network.
        var network: IPAddress?
        var isEvictable: Bool
        /// When its present phase began.
        var since: Duration
    }

    /// Up to `count` of the holders, by their indices. Each choice is the connection that has waited longest, in the
    /// network that holds the most connections at that step; only networks with an evictable connection count.
    static func choose(_ count: Int, of holders: [Holder]) -> [Int] {
        guard count > 0 else { return [] }
        var networks: [IPAddress?: [Int]] = [:]
        for index in holders.indices { networks[holders[index].network, default: []].append(index) }
        // The n-th connection that a network gives up leaves it with n fewer, so the order of all choices can be
        // computed in advance.
        var choices: [(held: Int, index: Int)] = []
        for members in networks.values {
            let candidates = members.filter { holders[$0].isEvictable }.sorted { holders[$0].since < holders[$1].since }
            for (given, index) in candidates.enumerated() { choices.append((members.count - given, index)) }
        }
        choices.sort { left, right in
            if left.held != right.held { return left.held > right.held }
            let (leftSince, rightSince) = (holders[left.index].since, holders[right.index].since)
            return leftSince == rightSince ? left.index < right.index : leftSince < rightSince
        }
        return choices.prefix(count).map(\.index)
    }
}

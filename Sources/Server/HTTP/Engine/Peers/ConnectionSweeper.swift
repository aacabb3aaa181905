internal import Dispatch
internal import Synchronization

/// Looks at all connections of one server about once a second (oftener where a limit is shorter than a few seconds), and ends those whose peers are too slow or, where connections
/// are scarce, hold the most. `PeerRateMonitor` and `ConnectionEviction` decide; this asks the kernel and shuts sockets down, which
/// libmicrohttpd takes as the peer's goodbye.
///
/// Requests do nothing for it but note what they are at.
final class ConnectionSweeper: Sendable {
    /// A sweep that comes later than this was held up, and so were the peers: the time beyond does not count.
    private static let longestStep = Duration.seconds(2)

    private struct Clock {
        var lastSweep = ContinuousClock.now
        /// Time in which sweeps came as they should.
        var now = Duration.zero
    }

    private let open: OpenConnections
    private let rules: PeerRateLimits
    private let pauseSeconds: Double
    private let queue = DispatchQueue(label: "hearth.http.sweeper", qos: .utility)
    private let clock = Mutex(Clock())
    private let counts = Mutex<[DisconnectReason: UInt64]>([:])
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

    func stop() { isStopped.store(true, ordering: .relaxed) }

    /// How many connections were ended for that reason.
    func count(_ reason: DisconnectReason) -> UInt64 { counts.withLock { $0[reason, default: 0] } }

    private func sweep() {
        let now = advance()
        let slots = open.all
        var stay: [(socket: Int32, slot: ConnectionState)] = []
        for (socket, slot) in slots {
            if slot.endReason != nil, resetIfStillOpen(socket, slot) { continue }
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

    /// Whether the connection goes on after a look at it.
    private func survivesCheck(_ socket: Int32, _ slot: ConnectionState, _ now: Duration) -> Bool {
        let (request, phase) = slot.snapshot
        var look = PeerRateMonitor.Look(phase: phase, request: request, socket: nil)
        if phase != .working {
            guard let facts = open.whileOpen(socket, slot, { SocketStatistics(socket: socket) }) else { return false }
            look.socket = facts
        }
        var pace = slot.pace ?? PeerRateMonitor(look, now: now)
        let reason = pace.judge(look, now: now, rules: rules)
        slot.pace = pace
        guard let reason else { return true }
        return !end(socket, slot, reason)
    }

    /// A connection that was ended at an earlier sweep is still there: its peer goes on sending. Where a request came through at
    /// that very moment, it is answered, and libmicrohttpd closes behind the answer: `false`, and the connection is judged as any other.
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
        guard excess > 0 else { return }
        // Of those that were seen at the same time first, the oldest connection goes.
        let slots = slots.sorted { $0.slot.opened < $1.slot.opened }
        let holders = slots.map { _, slot in
            ConnectionEviction.Holder(
                network: slot.client ?? slot.network,
                isEvictable: slot.pace?.isEvictable(now: now) ?? false, since: slot.pace?.since ?? now)
        }
        for index in ConnectionEviction.choose(excess, of: holders) {
            _ = end(slots[index].socket, slots[index].slot, .crowded)
        }
    }

    /// `false` where the connection has gone on to something else meanwhile.
    private func end(_ socket: Int32, _ slot: ConnectionState, _ reason: DisconnectReason) -> Bool {
        let isEnded = open.whileOpen(socket, slot) {
            let (request, phase) = slot.snapshot
            guard let pace = slot.pace, pace.isAt(phase, of: request) else { return false }
            slot.endReason = reason
            counts.withLock { $0[reason, default: 0] += 1 }
            // A peer that still sends can be told why, on its connection's thread, which notices the end of reading.
            if phase == .answering { OpenConnections.reset(socket) } else { OpenConnections.endReading(socket) }
            return true
        }
        return isEnded ?? false
    }
}

/// Why the server ended a connection by itself.
package enum DisconnectReason: UInt8, Sendable, CaseIterable {
    /// The head of a request, or the TLS handshake before it, took longer than `headSeconds`.
    case slowHead = 1
    /// A body came with less than `leastBytesPerSecond`.
    case slowBody
    /// The peer took an answer with less than `leastBytesPerSecond`.
    case slowReader
    /// Connections grew scarce, and the peer's network held the most.
    case crowded

    /// As in logs: `slow-head`.
    package var name: String {
        switch self {
        case .slowHead: "slow-head"
        case .slowBody: "slow-body"
        case .slowReader: "slow-reader"
        case .crowded: "crowded"
        }
    }

    /// What a peer is told whose request has not arrived whole; `nil` where nothing can be told any more.
    var fault: HTTPFault? {
        switch self {
        case .slowHead:
            HTTPFault(status: 408, message: "The head of the request took too long to arrive; send it again.")
        case .slowBody:
            HTTPFault(
                status: 408,
                message:
                    "The body of the request arrived too slowly; send it again over a faster connection, or in parts.")
        case .crowded:
            HTTPFault(status: 503, message: "The server is short of connections; send the request again later.")
        case .slowReader: nil
        }
    }
}

/// Who gives way where connections are scarce.
enum ConnectionEviction {
    struct Holder {
        /// `nil` where the peer's address is unknown; all of these count as one.
        var network: IPAddress?
        var isEvictable: Bool
        /// How long it has been at what it is at.
        var since: Duration
    }

    /// Up to `count` of the holders, by their places in the list: always the one that has waited longest, of the network that
    /// holds the most connections at that moment among those with one that may give up.
    static func choose(_ count: Int, of holders: [Holder]) -> [Int] {
        guard count > 0 else { return [] }
        var networks: [IPAddress?: [Int]] = [:]
        for index in holders.indices { networks[holders[index].network, default: []].append(index) }
        // The n-th one that a network gives leaves it with n less: so the order of all is known ahead.
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

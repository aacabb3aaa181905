/// Checks how fast one peer is: when the head of a request must be complete, and how many bytes of a body or an answer
/// must get through. Called about once a second; the times are those of any clock that never goes back.
///
/// Delays of the server do not count against the peer: bytes that the server has not read yet, and an answer of which
/// the peer has confirmed all sent bytes.
struct PeerRateMonitor {
    /// What one check of the connection found.
    struct Look {
        var phase: ConnectionPhase
        /// Counts the connection's requests. An idle connection has the number of its next request.
        var request: UInt64
        /// `nil` if the system does not say.
        var socket: SocketStatistics?
    }

    /// A period in which bytes are counted.
    private struct Window {
        let start: Duration
        let bytesAtStart: UInt64
    }

    /// Above this rate a transfer continues even when connections are scarce.
    static let goodBytesPerSecond = 8000.0
    /// Before this time a rate says nothing.
    static let judgedAfter = Duration.seconds(5)

    /// When the present phase of the present request was first seen.
    private(set) var since: Duration
    private var phase: ConnectionPhase
    private var request: UInt64
    /// The bytes received when the connection was first seen idle: further bytes belong to the next head.
    private var receivedBeforeHead: UInt64
    private var headSince: Duration?
    private var window: Window?
    /// The rate over the last period that was long enough; nil before that.
    private var bytesPerSecond: Double?

    /// For the first check of a connection.
    init(_ look: Look, now: Duration) {
        since = now
        phase = look.phase
        request = look.request
        receivedBeforeHead = look.request == 0 ? 0 : look.socket?.receivedBytes ?? 0
    }

    /// Takes a check into account. Returns why the connection must end; `nil` if it may continue.
    mutating func judge(_ look: Look, now: Duration, rules: PeerRateLimits) -> DisconnectReason? {
        if look.request != request {
            headSince = nil
            receivedBeforeHead = look.socket?.receivedBytes ?? 0
        }
        if look.request != request || look.phase != phase {
            phase = look.phase
            request = look.request
            since = now
            window = nil
            bytesPerSecond = nil
        }
        switch phase {
        case .idle, .head: return judgeHead(look.socket, now, rules)
        case .working: return nil
        case .receiving:
            guard let socket = look.socket else { return nil }
            let isSlow = isSlow(socket.receivedBytes, isHeldUp: socket.unreadBytes > 0, now, rules)
            return isSlow ? .slowBody : nil
        case .answering:
            guard let socket = look.socket else { return nil }
            let isSlow = isSlow(socket.confirmedBytes, isHeldUp: !socket.waitForPeer, now, rules)
            return isSlow ? .slowReader : nil
        }
    }

    /// Whether the last check saw that phase of that request.
    func isAt(_ phase: ConnectionPhase, of request: UInt64) -> Bool { self.phase == phase && self.request == request }

    /// Whether the connection may be ended when connections are scarce: the server does not work on its request, and no
    /// transfer is fast. A connection is spared until it has been checked twice in the same phase.
    func isEvictable(now: Duration) -> Bool {
        guard since < now else { return false }
        switch phase {
        case .idle, .head: return true
        case .working: return false
        case .receiving, .answering: return bytesPerSecond.map { $0 < Self.goodBytesPerSecond } ?? false
        }
    }

    private mutating func judgeHead(_ socket: SocketStatistics?, _ now: Duration, _ rules: PeerRateLimits)
        -> DisconnectReason?
    {
        let hasBegun = phase == .head || (socket?.receivedBytes ?? 0) > receivedBeforeHead
        guard hasBegun, let headSince, socket?.unreadBytes ?? 0 == 0 else {
            headSince = hasBegun ? now : nil
            return nil
        }
        guard let most = rules.headTime, now - headSince >= most else { return nil }
        return .slowHead
    }

    private mutating func isSlow(_ bytes: UInt64, isHeldUp: Bool, _ now: Duration, _ rules: PeerRateLimits) -> Bool {
        guard let window, !isHeldUp else {
            self.window = Window(start: now, bytesAtStart: bytes)
            if isHeldUp { bytesPerSecond = nil }
            return false
        }
        let seconds = (now - window.start) / .seconds(1)
        let rate = Double(bytes &- window.bytesAtStart) / max(seconds, 1e-9)
        if now - window.start >= min(Self.judgedAfter, rules.window) { bytesPerSecond = rate }
        guard now - window.start >= rules.window else { return false }
        self.window = Window(start: now, bytesAtStart: bytes)
        return rate < Double(rules.leastBytesPerSecond)
    }
}

/// How slow a peer may be.
struct PeerRateLimits {
    /// From the first byte of a head to its last; `nil` for any time.
    var headTime: Duration?
    /// 0 for any rate.
    var leastBytesPerSecond: Int
    /// The time over which bytes are counted.
    var window: Duration

    init(headTime: Duration?, leastBytesPerSecond: Int, window: Duration) {
        self.headTime = headTime
        self.leastBytesPerSecond = leastBytesPerSecond
        self.window = window
    }

    init(_ limits: ServerLimits) {
        self.init(
            headTime: limits.headSeconds > 0 ? .seconds(limits.headSeconds) : nil,
            leastBytesPerSecond: limits.leastBytesPerSecond, window: .seconds(limits.rateWindowSeconds))
    }
}

// This import also declares IPPROTO_TCP, which the C library's own module does not do everywhere.

internal import CMicroHTTPD
internal import Glibc
internal import Synchronization

/// One connection: whose it is, what it is at, and the request under way on it.
///
/// `@unchecked Sendable`: `exchange`, `hasBegun`, `greeting` and `hasLoggedItsEnd` are used on the connection's thread only, `connection`
/// as it allows, `pace` by the sweeper only, one sweep at a time; all else is constant, atomic or locked.
final class ConnectionState: @unchecked Sendable {
    /// The peer's.
    let remoteAddress: String
    /// The peer's; `nil` where its address is unknown.
    let network: IPAddress?
    /// Which serves the connection.
    let thread = pthread_self()
    let opened = ContinuousClock.now
    /// What the sweeper knows of the peer.
    var pace: PeerRateMonitor?
    /// Whether the log tells of what ended the connection; on the connection's thread.
    var hasLoggedItsEnd = false
    private let connection: Connection
    private let forwarded = Mutex<IPAddress?>(nil)
    private let greeting: PlainHTTPDetector?
    private var hasBegun = false
    /// The number of the request, counted from 0, and in the last eight bits the phase. Only the connection's thread changes it.
    private let state = Atomic<UInt64>(0)
    private let ended = Atomic<UInt8>(0)

    var exchange: Exchange? {
        // Sequentially consistent, as the flag of stopping: of a request that ends and a stop that begins, one sees the other.
        didSet {
            if exchange != nil { hasBegun = true }
            let number = state.load(ordering: .relaxed) >> 8
            let next = exchange == nil ? Self.pack(number &+ 1, .idle) : Self.pack(number, .head)
            state.store(next, ordering: .sequentiallyConsistent)
        }
    }

    /// The client's network, during a request that a trusted proxy passes on.
    var client: IPAddress? {
        get { forwarded.withLock { $0 } }
        set { forwarded.withLock { $0 = newValue } }
    }

    /// Whether a request has begun to arrive and is not over.
    var isBusy: Bool { ConnectionPhase(packed: state.load(ordering: .sequentiallyConsistent)) != .idle }

    /// The number of the request and what it is at, in one.
    var snapshot: (request: UInt64, phase: ConnectionPhase) {
        let packed = state.load(ordering: .acquiring)
        return (packed >> 8, ConnectionPhase(packed: packed))
    }

    /// Why the server ends the connection, where it does; of several reasons the last.
    var endReason: DisconnectReason? {
        get { DisconnectReason(rawValue: ended.load(ordering: .acquiring)) }
        set {
            ended.store(newValue?.rawValue ?? 0, ordering: .releasing)
        }
    }

    /// Made on the connection's thread.
    init(connection: Connection, greeting: PlainHTTPDetector?) {
        self.connection = connection
        remoteAddress = connection.remoteAddress
        network = connection.network
        self.greeting = greeting
    }

    /// Notes what the request under way is at, on the connection's thread.
    func enter(_ phase: ConnectionPhase) {
        state.store(Self.pack(state.load(ordering: .relaxed) >> 8, phase), ordering: .releasing)
    }

    private static func pack(_ request: UInt64, _ phase: ConnectionPhase) -> UInt64 {
        request << 8 | UInt64(phase.rawValue)
    }

    /// Answers a request that has arrived whole and that libmicrohttpd is about to refuse; no effect on any other, such as
    /// one that it has answered.
    func refuseBeforeHandler() {
        guard let exchange, exchange.isBeginning, connection.hasWholeHead, connection.status == nil else { return }
        exchange.refuseBeforeHandler()
    }

    /// For a connection that ends before the first line of a request was understood, though something came; nil for all
    /// others. What libmicrohttpd answered to it, if anything, is not known here.
    func entryOfUnreadRequest(id: @autoclosure () -> RequestID) -> AccessLogEntry? {
        // The peer's goodbye counts as one byte.
        guard !hasBegun, connection.receivedBytes > 1 else { return nil }
        return AccessLogEntry(
            method: nil, remoteAddress: remoteAddress, route: 0, status: nil, responseBytes: 0, requestBytes: 0,
            duration: opened.duration(to: .now), isComplete: false, endReason: nil, caller: nil, id: id(),
            sentTarget: Array("-".utf8))
    }

    static func of(_ connection: OpaquePointer?) -> ConnectionState? {
        guard let connection, let raw = mhd_connection_context(connection) else { return nil }
        return Unmanaged<ConnectionState>.fromOpaque(raw).takeUnretainedValue()
    }
}

extension ConnectionPhase {
    fileprivate init(packed: UInt64) { self = ConnectionPhase(rawValue: UInt8(truncatingIfNeeded: packed)) ?? .idle }
}

/// What a connection is at, as far as it decides how long that may take.
enum ConnectionPhase: UInt8 {
    /// Between two requests, or before the first; the first line of the next one may be arriving.
    case idle
    /// The request line is here, and the rest of the head is not.
    case head
    /// The request is worked on: nobody waits for the peer.
    case working
    /// The request's body arrives.
    case receiving
    /// The answer is sent.
    case answering
}

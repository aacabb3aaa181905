internal import CMicroHTTPD
internal import Glibc
import HearthConcurrency
internal import Synchronization

/// One connection: its peer, its phase, and the present request.
///
/// `@unchecked Sendable`: `exchange`, `hasBegun`, `greeting` and `hasLoggedItsEnd` are used on the connection's thread
/// only, `connection` as its type allows, and `pace` and `endTime` by the sweeper only, in one sweep at a time. All other
/// fields are constant, atomic or locked.
final class ConnectionState: @unchecked Sendable {
    /// The peer's address.
    let remoteAddress: String
    /// The peer's network; `nil` if its address is unknown.
    let network: IPAddress?
    /// The thread that serves the connection.
    let thread = pthread_self()
    let opened = ContinuousClock.now
    /// What the sweeper knows about the peer's rate.
    var pace: PeerRateMonitor?
    /// When the sweeper last ended the connection, by its clock.
    var endTime: Duration?
    /// Whether the log already shows why the connection ended. On the connection's thread only.
    var hasLoggedItsEnd = false
    private let connection: Connection
    private let forwarded = Lock<IPAddress?>(nil)
    private let greeting: PlainHTTPDetector?
    private var hasBegun = false
    /// The number of the request, counted from 0, shifted left by eight bits, and the phase in the last eight bits.
    /// Only the connection's thread changes it.
    private let state = Atomic<UInt64>(0)
    private let ended = Atomic<UInt8>(0)

    var exchange: Exchange? {
        // Sequentially consistent, like the flag for stopping: when a request ends while a stop begins, one of the two
        // sees the other.
        didSet {
            if exchange != nil { hasBegun = true }
            let number = state.load(ordering: .relaxed) >> 8
            let next = exchange == nil ? Self.pack(number &+ 1, .idle) : Self.pack(number, .head)
            state.store(next, ordering: .sequentiallyConsistent)
        }
    }

    /// The client's network during a request that a trusted proxy forwards.
    var client: IPAddress? {
        get { forwarded.withLock { $0 } }
        set { forwarded.withLock { $0 = newValue } }
    }

    /// Whether a request has begun to arrive and has not ended.
    var isBusy: Bool { ConnectionPhase(packed: state.load(ordering: .sequentiallyConsistent)) != .idle }

    /// The number of the request and its phase, read together.
    var snapshot: (request: UInt64, phase: ConnectionPhase) {
        let packed = state.load(ordering: .acquiring)
        return (packed >> 8, ConnectionPhase(packed: packed))
    }

    /// Why the server ends the connection, if it does; the last of several reasons.
    var endReason: DisconnectReason? {
        get { DisconnectReason(rawValue: ended.load(ordering: .acquiring)) }
        set {
            ended.store(newValue?.rawValue ?? 0, ordering: .releasing)
        }
    }

    /// Call it on the connection's thread.
    init(connection: Connection, greeting: PlainHTTPDetector?) {
        self.connection = connection
        remoteAddress = connection.remoteAddress
        network = connection.network
        self.greeting = greeting
    }

    /// Records the phase of the present request, on the connection's thread.
    func enter(_ phase: ConnectionPhase) {
        state.store(Self.pack(state.load(ordering: .relaxed) >> 8, phase), ordering: .releasing)
    }

    private static func pack(_ request: UInt64, _ phase: ConnectionPhase) -> UInt64 {
        request << 8 | UInt64(phase.rawValue)
    }

    /// Answers a request whose head has arrived and which libmicrohttpd is about to refuse. Has no effect on other
    /// requests, for example one that libmicrohttpd has answered.
    func refuseBeforeHandler() {
        guard let exchange, exchange.isBeginning, connection.hasWholeHead, connection.status == nil else { return }
        exchange.refuseBeforeHandler()
    }

    /// The log entry of a connection that ends before the server could parse the first line of a request, although
    /// bytes arrived; nil for all other connections. The answer of libmicrohttpd to it, if any, is not known.
    func entryOfUnreadRequest(id: @autoclosure () -> RequestID) -> AccessLogEntry? {
        // The peer's closing (FIN) counts as one byte.
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

/// The phase of a connection, as far as it matters for time limits.
enum ConnectionPhase: UInt8 {
    /// Between two requests, or before the first. The first line of the next request may be arriving.
    case idle
    /// The request line has arrived, and the rest of the head has not.
    case head
    /// The server handles the request and does not wait for the peer.
    case working
    /// The request's body arrives.
    case receiving
    /// The server sends the answer.
    case answering
}

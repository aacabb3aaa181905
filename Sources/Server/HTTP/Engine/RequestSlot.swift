internal import CMicroHTTPD
internal import Synchronization

/// One connection: whose it is, what it is at, and the request under way on it.
///
/// `@unchecked Sendable`: `exchange`, `greeting` and `hasLoggedItsEnd` are used on the connection's thread only, `pace` by the sweeper only, one
/// sweep at a time; all else is constant, atomic or locked.
final class RequestSlot: @unchecked Sendable {
    /// The peer's.
    let remoteAddress: String
    /// The peer's; `nil` where its address is unknown.
    let network: IPAddress?
    let opened = ContinuousClock.now
    /// What the sweeper knows of the peer.
    var pace: PeerPace?
    /// Whether the log tells of what ended the connection; on the connection's thread.
    var hasLoggedItsEnd = false
    private let forwarded = Mutex<IPAddress?>(nil)
    private let greeting: TLSGreeting?
    /// The number of the request, counted from 0, and in the last eight bits the phase. Only the connection's thread changes it.
    private let state = Atomic<UInt64>(0)
    private let ended = Atomic<UInt8>(0)

    var exchange: Exchange? {
        // Sequentially consistent, as the flag of stopping: of a request that ends and a stop that begins, one sees the other.
        didSet {
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

    /// Why the server ends the connection, where it does; what it was told first stays.
    var endReason: EndReason? {
        get { EndReason(rawValue: ended.load(ordering: .acquiring)) }
        set {
            _ = ended.compareExchange(expected: 0, desired: newValue?.rawValue ?? 0, ordering: .acquiringAndReleasing)
        }
    }

    init(remoteAddress: String, network: IPAddress?, greeting: TLSGreeting?) {
        self.remoteAddress = remoteAddress
        self.network = network
        self.greeting = greeting
    }

    /// Notes what the request under way is at, on the connection's thread.
    func enter(_ phase: ConnectionPhase) {
        state.store(Self.pack(state.load(ordering: .relaxed) >> 8, phase), ordering: .releasing)
    }

    private static func pack(_ request: UInt64, _ phase: ConnectionPhase) -> UInt64 {
        request << 8 | UInt64(phase.rawValue)
    }

    static func of(_ connection: OpaquePointer?) -> RequestSlot? {
        guard let connection, let raw = mhd_connection_context(connection) else { return nil }
        return Unmanaged<RequestSlot>.fromOpaque(raw).takeUnretainedValue()
    }
}

extension ConnectionPhase {
    fileprivate init(packed: UInt64) { self = ConnectionPhase(rawValue: UInt8(truncatingIfNeeded: packed)) ?? .idle }
}

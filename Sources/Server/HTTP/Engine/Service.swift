internal import Dispatch
internal import Synchronization

/// What all connections of one server share. Lives as long as the daemon that points to it.
final class Service: Sendable {
    let limits: ServerLimits
    let trustedProxies: AddressRanges
    let isTLS: Bool
    let handler: any RequestHandler
    let errors: ErrorRenderer
    let log: AccessLog
    /// Entered by every request from its first line to its completion.
    let running = DispatchGroup()
    let openConnections: OpenConnections
    let sweeper: ConnectionSweeper
    let clients: ClientRequests
    let suspensions = SuspensionRegistry()
    let streams = StreamRegistry()
    let peers = PeerWatch()
    let lingering: LingeringClose

    private let idPrefix = String(UInt32.random(in: .min ... .max), radix: 36)
    private let requests = Atomic<UInt64>(0)
    private let tls = Mutex<TLSCredentials?>(nil)
    private let stopping = Atomic<Bool>(false)

    init(
        configuration: HTTPServerConfiguration, handler: any RequestHandler, errors: @escaping ErrorRenderer,
        log: @escaping AccessLog
    ) {
        limits = configuration.limits
        trustedProxies = configuration.trustedProxies
        isTLS = configuration.tls != nil
        self.handler = handler
        self.errors = errors
        self.log = log
        openConnections = OpenConnections(limits: limits)
        sweeper = ConnectionSweeper(open: openConnections, limits: limits)
        clients = ClientRequests(limits: limits)
        lingering = LingeringClose(seconds: limits.lingerSeconds)
    }

    /// What new TLS connections show; nil for what the daemon was started with.
    var credentials: TLSCredentials? {
        get { tls.withLock { $0 } }
        set { tls.withLock { $0 = newValue } }
    }

    var isStopping: Bool { stopping.load(ordering: .sequentiallyConsistent) }

    func beginStopping() { stopping.store(true, ordering: .sequentiallyConsistent) }

    /// For the log, of a connection that was ended before a request line had arrived whole.
    func entryOfUnfinishedHead(_ slot: RequestSlot) -> AccessLogEntry {
        AccessLogEntry(
            method: nil, remoteAddress: slot.remoteAddress, route: 0, status: nil, responseBytes: 0, requestBytes: 0,
            duration: slot.opened.duration(to: .now), isComplete: false, endReason: slot.endReason, caller: nil,
            id: nextRequestID(), sentTarget: [UInt8(ascii: "-")])
    }

    /// Unique in this process.
    func nextRequestID() -> RequestID {
        RequestID(process: idPrefix, number: requests.wrappingAdd(1, ordering: .relaxed).newValue)
    }
}

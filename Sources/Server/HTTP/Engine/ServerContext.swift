internal import CMicroHTTPD
internal import Dispatch
internal import Glibc
import HearthConcurrency
internal import Synchronization

/// What all connections of one server share. It outlives the daemon, which points to it.
final class ServerContext: Sendable {
    let limits: ServerLimits
    let trustedProxies: AddressRanges
    let isTLS: Bool
    let handler: any RequestHandler
    let errors: ErrorRenderer
    let log: AccessLog
    /// Every request enters at its first line and leaves at its completion.
    let running = DispatchGroup()
    let openConnections: OpenConnections
    let sweeper: ConnectionSweeper
    let clients: ClientRequestCounter
    let suspensions = SuspensionRegistry()
    let streams = StreamRegistry()
    let peers = HangupMonitor()
    let lingering: LingeringClose

    private let idPrefix = String(UInt32.random(in: .min ... .max), radix: 36)
    private let requests = Atomic<UInt64>(0)
    private let tls = Lock<TLSCredentials?>(nil)
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
        clients = ClientRequestCounter(limits: limits)
        lingering = LingeringClose(seconds: limits.lingerSeconds)
    }

    /// The certificate for new TLS connections; nil for the one that the daemon started with.
    var credentials: TLSCredentials? {
        get { tls.withLock { $0 } }
        set { tls.withLock { $0 = newValue } }
    }

    var isStopping: Bool { stopping.load(ordering: .sequentiallyConsistent) }

    func beginStopping() { stopping.store(true, ordering: .sequentiallyConsistent) }

    /// The log entry of a connection that the server ended before a whole request line had arrived.
    func entryOfUnfinishedHead(_ slot: ConnectionState) -> AccessLogEntry {
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

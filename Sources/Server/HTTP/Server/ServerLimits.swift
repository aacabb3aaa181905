/// What one server accepts. Each value is a bound on a peer, not a target.
public struct ServerLimits: Sendable, Hashable {
    /// Request line and header fields of one request. Beyond: 431, or 414 for a request line that fills the buffer.
    /// Each connection holds a little over twice as much memory.
    public var headerBytes = 8 * 1024
    /// Header fields of one request. Beyond: 431.
    public var headerFields = 100
    /// Body of a request whose receiver states no limit of its own. Beyond: 413.
    public var bodyBytes: UInt64 = 64 * 1024 * 1024
    /// Connections open at once, suspended ones included; more wait in the kernel's queue. At least one per thread.
    public var connections = 2048
    /// Connections open at once from one address, for IPv6 from one /64 network; more are closed unanswered. Where less than
    /// a quarter of `connections` is free, a network gets another one only while it holds less than an eighth of
    /// these, or less than four. 0 means no such limits.
    public var connectionsPerAddress = 512
    /// Requests in progress at once of one client behind the trusted proxies, counted as for `connectionsPerAddress`; a quarter
    /// of `connections` at most. Beyond: 429. 0 means no such limit.
    public var clientRequests = 512
    /// Seconds without a byte in either direction before a connection is closed; suspended ones are exempt, and streams
    /// with nothing to send. 0 means never.
    public var idleSeconds = 60
    /// Seconds from the first byte of a request's head to its last; on a new connection a TLS handshake counts with it. 0
    /// means any time.
    public var headSeconds = 30.0
    /// Bytes per second, over `rateWindowSeconds`, below which a body that arrives and an answer that is sent are cut. Only
    /// time counts in which the peer is waited for. 0 means any rate.
    public var leastBytesPerSecond = 500
    /// Seconds over which `leastBytesPerSecond` is counted.
    public var rateWindowSeconds = 30.0
    /// Threads that run handlers.
    public var threads = ProcessorCount.online
    /// Seconds that `stop()` lets running requests go on.
    public var stopGraceSeconds = 10.0
    /// Seconds that a refused upload may go on sending, unread, before its connection is cut.
    public var lingerSeconds = 5.0

    public init() {}
}

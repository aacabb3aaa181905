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
    /// Connections open at once from one address; more are closed unanswered. 0 means no such limit.
    public var connectionsPerAddress = 512
    /// Seconds without a byte in either direction before a connection is closed; suspended ones are exempt, and streams
    /// with nothing to send. 0 means never. A peer that trickles bytes is not idle: the connection limits bound what such
    /// peers can hold.
    public var idleSeconds = 60
    /// Threads that run handlers.
    public var threads = ProcessorCount.online
    /// Seconds that `stop()` lets running requests go on.
    public var stopGraceSeconds = 10.0
    /// Seconds that a refused upload may go on sending, unread, before its connection is cut.
    public var lingerSeconds = 5.0

    public init() {}
}

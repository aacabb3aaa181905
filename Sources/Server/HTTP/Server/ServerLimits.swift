internal import Glibc

/// The limits of one server. Each value bounds what a peer may do, and is not a target.
package struct ServerLimits: Sendable, Hashable {
    /// Request line and header fields of one request, in bytes. Beyond: 431, or 414 for a request line that fills the
    /// buffer. Each connection uses a little more than twice as much memory.
    package var headerBytes = 8 * 1024
    /// Header fields of one request. Beyond: 431.
    package var headerFields = 100
    /// Body bytes of a request whose receiver has no limit of its own. Beyond: 413.
    package var bodyBytes: UInt64 = 64 * 1024 * 1024
    /// Simultaneous connections, including suspended ones; more wait in the kernel's queue. At least one per thread.
    package var connections = 2048
    /// Simultaneous connections from one address, for IPv6 from one /64 network; more are closed without an answer.
    /// While less than a quarter of `connections` is free, a network gets another one only if it holds less than an
    /// eighth of the free ones, or less than four. 0 means no such limits.
    package var connectionsPerAddress = 512
    /// Simultaneous requests of one client behind the trusted proxies, with the same rules as `connectionsPerAddress`;
    /// at most a quarter of `connections`. Beyond: 429. 0 means no such limit.
    package var clientRequests = 512
    /// Seconds without a byte in either direction before a connection is closed. Suspended connections are exempt, and
    /// streams with nothing to send. 0 means never.
    package var idleSeconds = 60
    /// Seconds from the first byte of a request's head to its last. On a new connection the TLS handshake counts as
    /// part of the head. 0 means any time.
    package var headSeconds = 30.0
    /// Bytes per second, over `rateWindowSeconds`, below which the server closes the connection of an arriving body or
    /// an answer. Only time counts in which the server waits for the peer. 0 means any rate.
    package var leastBytesPerSecond = 500
    /// Seconds over which `leastBytesPerSecond` is measured.
    package var rateWindowSeconds = 30.0
    /// Threads that run handlers.
    package var threads = ProcessorCount.online
    /// Seconds that `stop()` gives running requests to end.
    package var stopGraceSeconds = 10.0
    /// Seconds that a refused upload may continue to send, unread, before its connection is closed.
    package var lingerSeconds = 5.0

    package init() {}
}

/// The number of processors.
enum ProcessorCount {
    /// Processors online, at least 1.
    static var online: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}

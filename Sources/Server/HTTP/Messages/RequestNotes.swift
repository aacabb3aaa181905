internal import Synchronization

/// What becomes known of a request while it is handled, for the log and the metrics: which route took it, and whose it is.
///
/// One per request. May be written from any thread.
public final class RequestNotes: Sendable {
    private let route = Atomic<Int>(0)
    private let caller = Mutex<(any CustomStringConvertible & Sendable)?>(nil)

    /// As in `AccessLogEntry.route`.
    public var routeNumber: Int {
        get { route.load(ordering: .relaxed) }
        set { route.store(newValue, ordering: .relaxed) }
    }

    /// What `AccessLogEntry.actor` is the description of, which is asked for only where somebody logs it.
    public var actor: (any CustomStringConvertible & Sendable)? {
        get { caller.withLock { $0 } }
        set { caller.withLock { $0 = newValue } }
    }
}

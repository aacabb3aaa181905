internal import Synchronization

/// What becomes known of a request while it is handled, for the log and the metrics: which route took it, and whose it is.
///
/// One per request, shared by the copies of its head. May be written from any thread.
public final class RequestNotes: Sendable {
    private let route = Atomic<Int>(0)
    private let caller = Mutex<String?>(nil)

    /// As in `AccessLogEntry.route`.
    public var routeNumber: Int {
        get { route.load(ordering: .relaxed) }
        set { route.store(newValue, ordering: .relaxed) }
    }

    /// As in `AccessLogEntry.actor`.
    public var actor: String? {
        get { caller.withLock { $0 } }
        set { caller.withLock { $0 = newValue } }
    }
}

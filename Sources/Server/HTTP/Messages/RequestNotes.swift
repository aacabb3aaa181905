internal import Synchronization

/// What becomes known of a request while it is handled, for the log and the metrics: which route took it, and whose it is.
///
/// One per request. May be written from any thread.
public final class RequestNotes: Sendable {
    private let route = Atomic<Int>(0)
    private let hasFields = Atomic<Bool>(false)
    private let fields = Mutex<HTTPHeaders>([:])
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

    /// Fields that the answer gets beside its own, whoever makes it: the handler, or the engine that refuses a body.
    public var answerFields: HTTPHeaders {
        get { fields.withLock { $0 } }
        set {
            fields.withLock { $0 = newValue }
            hasFields.store(newValue.count > 0, ordering: .releasing)
        }
    }

    /// The answer with those fields. Nearly always there are none, and it stays as it is, encoded ahead or not.
    func completed(_ response: Response) -> Response {
        guard hasFields.load(ordering: .acquiring) else { return response }
        var response = response
        for field in answerFields { response.headers.add(field.name, field.value) }
        return response
    }
}

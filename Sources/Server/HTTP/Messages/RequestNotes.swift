import HearthConcurrency
internal import Synchronization

/// What handlers find out about a request, for the log and the metrics: its route and its caller.
///
/// One per request. Any thread may write it.
package final class RequestNotes: Sendable {
    private let route = Atomic<Int>(0)
    private let hasFields = Atomic<Bool>(false)
    private let fields = Lock<HTTPHeaders>([:])
    private let caller = Lock<(any CustomStringConvertible & Sendable)?>(nil)

    /// As in `AccessLogEntry.route`.
    package var routeNumber: Int {
        get { route.load(ordering: .relaxed) }
        set { route.store(newValue, ordering: .relaxed) }
    }

    /// Its description is `AccessLogEntry.actor`; it is computed only if the request is logged.
    package var actor: (any CustomStringConvertible & Sendable)? {
        get { caller.withLock { $0 } }
        set { caller.withLock { $0 = newValue } }
    }

    /// Fields that are added to the answer, whether the handler makes it or the engine that refuses a body.
    package var answerFields: HTTPHeaders {
        get { fields.withLock { $0 } }
        set {
            fields.withLock { $0 = newValue }
            hasFields.store(newValue.count > 0, ordering: .releasing)
        }
    }

    /// The answer with those fields. Usually there are none, and the answer stays unchanged, whether encoded in advance
    /// or not.
    func completed(_ response: Response) -> Response {
        guard hasFields.load(ordering: .acquiring) else { return response }
        var response = response
        for field in answerFields { response.headers.add(field.name, field.value) }
        return response
    }
}

import HearthConcurrency

/// Connects a suspended connection with its answer. The first caller that resolves it wakes the connection, once.
final class Suspension: Sendable {
    private enum State {
        case waiting
        case resolved(Response)
        case taken
    }

    private let errors: ErrorRenderer
    private let resume: @Sendable () -> Void
    private let state = Lock(State.waiting)

    /// - Parameter resume: resumes the connection, which must be suspended before any caller can resolve this object.
    init(errors: @escaping ErrorRenderer, resume: @escaping @Sendable () -> Void) {
        self.errors = errors
        self.resume = resume
    }

    /// `false` if it was resolved before.
    func resolve(_ response: Response) -> Bool {
        let isFirst = state.withLock { state in
            guard case .waiting = state else { return false }
            state = .resolved(response)
            return true
        }
        // Only the first caller gets here, and before this call the suspended connection cannot disappear.
        if isFirst { resume() }
        return isFirst
    }

    func fail(_ fault: HTTPFault) {
        if state.withLock({ if case .waiting = $0 { true } else { false } }) { _ = resolve(errors(fault)) }
    }

    /// The answer; nil from the second call on.
    func take() -> Response? {
        state.withLock { state in
            guard case .resolved(let response) = state else { return nil }
            state = .taken
            return response
        }
    }
}

/// All suspended requests of one server, so that a stop can wake them.
final class SuspensionRegistry: Sendable {
    private struct State {
        var open: [ObjectIdentifier: Suspension] = [:]
        var closed: HTTPFault?
    }

    private let state = Lock(State())

    /// Adds a suspension; fails it at once if the registry is closed.
    func add(_ suspension: Suspension) {
        let fault = state.withLock { state in
            state.open[ObjectIdentifier(suspension)] = suspension
            return state.closed
        }
        if let fault { suspension.fail(fault) }
    }

    func remove(_ suspension: Suspension) {
        state.withLock { _ = $0.open.removeValue(forKey: ObjectIdentifier(suspension)) }
    }

    /// Fails all suspensions, including future ones.
    func close(answering fault: HTTPFault) {
        let open = state.withLock { state in
            state.closed = fault
            return Array(state.open.values)
        }
        for suspension in open { suspension.fail(fault) }
    }
}

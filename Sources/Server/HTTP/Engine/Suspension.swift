internal import Synchronization

/// The meeting point of a suspended connection and its answer: whoever resolves it first wakes the connection, once.
final class Suspension: Sendable {
    private enum State {
        case waiting
        case resolved(Response)
        case taken
    }

    private let errors: ErrorRenderer
    private let resume: @Sendable () -> Void
    private let state = Mutex(State.waiting)

    /// `resume` resumes the connection, which must have been suspended before anybody can resolve this.
    init(errors: @escaping ErrorRenderer, resume: @escaping @Sendable () -> Void) {
        self.errors = errors
        self.resume = resume
    }

    /// `false` where it was resolved before.
    func resolve(_ response: Response) -> Bool {
        let isFirst = state.withLock { state in
            guard case .waiting = state else { return false }
            state = .resolved(response)
            return true
        }
        // The winner alone gets here, and until this call the suspended connection cannot go away.
        if isFirst { resume() }
        return isFirst
    }

    func fail(_ fault: HTTPFault) {
        if state.withLock({ if case .waiting = $0 { true } else { false } }) { _ = resolve(errors(fault)) }
    }

    /// The answer, once.
    func take() -> Response? {
        state.withLock { state in
            guard case .resolved(let response) = state else { return nil }
            state = .taken
            return response
        }
    }
}

/// All suspended requests of one server, so that stopping can wake them.
final class SuspensionRegistry: Sendable {
    private struct State {
        var open: [ObjectIdentifier: Suspension] = [:]
        var closed: HTTPFault?
    }

    private let state = Mutex(State())

    /// Remembers a suspension; fails it at once where the registry is closed.
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

    /// Fails all suspensions, those to come included.
    func close(answering fault: HTTPFault) {
        let open = state.withLock { state in
            state.closed = fault
            return Array(state.open.values)
        }
        for suspension in open { suspension.fail(fault) }
    }
}

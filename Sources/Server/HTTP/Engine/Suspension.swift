internal import Synchronization

/// The meeting point of a suspended connection and its answer: whoever resolves it first wakes the connection, once.
final class Suspension: Sendable {
    private enum State {
        case waiting
        case resolved(Response)
        case taken
    }

    private let errors: ErrorRenderer
    private let wake: @Sendable () -> Void
    private let state = Mutex(State.waiting)

    /// `wake` resumes the connection, which must have been suspended before anybody can resolve this.
    init(errors: @escaping ErrorRenderer, wake: @escaping @Sendable () -> Void) {
        self.errors = errors
        self.wake = wake
    }

    /// `false` where it was resolved before.
    func resolve(_ response: Response) -> Bool {
        let isFirst = state.withLock { state in
            guard case .waiting = state else { return false }
            state = .resolved(response)
            return true
        }
        // The winner alone gets here, and until this call the suspended connection cannot go away.
        if isFirst { wake() }
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

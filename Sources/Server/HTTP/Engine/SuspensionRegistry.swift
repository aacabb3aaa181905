internal import Synchronization

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

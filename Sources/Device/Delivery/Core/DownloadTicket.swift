import Synchronization

/// A caller's part in something that goes on. Forgetting it does not cancel.
final class DownloadTicket: Sendable {
    private struct State {
        var action: (@Sendable () -> Void)?
        var isCancelled = false
    }

    private let state: Mutex<State>

    init(_ cancel: @escaping @Sendable () -> Void) { state = Mutex(State(action: cancel)) }

    /// For something that has not begun yet: see `pass(onTo:)`.
    init() { state = Mutex(State()) }

    /// This caller is not called back with a result any more, but with `cancelled`; the transfer goes on while others wait.
    func cancel() {
        let action = state.withLock { state in
            state.isCancelled = true
            return state.action.take()
        }
        action?()
    }

    /// From now on, cancelling this ticket cancels the other one; at once if it was cancelled before.
    func pass(onTo other: DownloadTicket) {
        let isLate = state.withLock { state in
            if !state.isCancelled { state.action = { other.cancel() } }
            return state.isCancelled
        }
        if isLate { other.cancel() }
    }
}

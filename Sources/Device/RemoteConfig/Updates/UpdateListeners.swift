import Dispatch
import Foundation
import HearthApp
import HearthConcurrency

/// The listeners to updates, which are called one after the other on a background queue.
final class UpdateListeners: Sendable {
    typealias Outcome = Result<RemoteConfigUpdate, NSError>

    private struct Listener {
        var callback: Callback<Outcome>
        var end: @Sendable () -> Void
    }

    private struct State {
        var next = 0
        /// nil when no update can follow, because the app was deleted.
        var listeners: [Int: Listener]? = [:]
    }

    private let state = Lock(State())
    private let queue = DispatchQueue(label: "app.hearth.remoteconfig.listeners")

    var isEmpty: Bool { state.withLock { $0.listeners?.isEmpty ?? true } }

    /// Adds a listener.
    ///
    /// - Parameter end: Called once when no update can follow; immediately if that is so already; not after a removal.
    func add(
        _ listener: @escaping (RemoteConfigUpdate?, (any Error)?) -> Void, end: @escaping @Sendable () -> Void
    ) -> Int {
        let (number, isKept) = state.withLock { state in
            let number = state.next
            state.next += 1
            state.listeners?[number] = Listener(callback: callback(listener, number), end: end)
            return (number, state.listeners != nil)
        }
        if !isKept { end() }
        return number
    }

    func remove(_ number: Int) { state.withLock { $0.listeners?[number] = nil } }

    func close() {
        let ended = state.withLock { state in
            defer { state.listeners = nil }
            return state.listeners
        }
        for listener in (ended ?? [:]).values { listener.end() }
    }

    func notify(_ result: Outcome) {
        for listener in (state.withLock { $0.listeners } ?? [:]).values {
            listener.callback.call(with: result, on: queue)
        }
    }

    private func callback(
        _ listener: @escaping (RemoteConfigUpdate?, (any Error)?) -> Void, _ number: Int
    ) -> Callback<Outcome> {
        Callback { [weak self] result in
            // The listener may have been removed since the call was queued.
            guard self?.has(number) == true else { return }
            switch result {
            case .success(let update): listener(update, nil)
            case .failure(let error): listener(nil, error)
            }
        }
    }

    private func has(_ number: Int) -> Bool { state.withLock { $0.listeners?[number] != nil } }
}

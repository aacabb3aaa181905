import Dispatch
import Foundation
import HearthApp
import Synchronization

/// Who is told about updates, one call after the other on a background queue.
final class UpdateListeners: Sendable {
    typealias News = Result<RemoteConfigUpdate, NSError>

    private struct State {
        var next = 0
        var callbacks: [Int: Callback<News>] = [:]
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "app.hearth.remoteconfig.listeners")

    var isEmpty: Bool { state.withLock { $0.callbacks.isEmpty } }

    func add(_ listener: @escaping (RemoteConfigUpdate?, (any Error)?) -> Void) -> Int {
        state.withLock { state in
            let number = state.next
            state.next += 1
            state.callbacks[number] = Callback { [weak self] news in
                // It may have been removed since the call was queued.
                guard self?.has(number) == true else { return }
                switch news {
                case .success(let update): listener(update, nil)
                case .failure(let error): listener(nil, error)
                }
            }
            return number
        }
    }

    func remove(_ number: Int) { state.withLock { $0.callbacks[number] = nil } }

    func removeAll() { state.withLock { $0.callbacks = [:] } }

    func tell(_ news: News) {
        for callback in state.withLock({ Array($0.callbacks.values) }) { callback.call(with: news, on: queue) }
    }

    private func has(_ number: Int) -> Bool { state.withLock { $0.callbacks[number] != nil } }
}

import Synchronization

/// Says whether work is to end early. Any thread may cancel, once and for all.
final class Cancellation: Sendable {
    private let state = Atomic(false)

    var isCancelled: Bool { state.load(ordering: .relaxed) }

    func cancel() { state.store(true, ordering: .relaxed) }
}

import Synchronization

/// Entries on their way to the disk. Use it from any thread; nobody waits.
final class WaitingEntries: Sendable {
    /// More wait only when the disk stands still.
    static let limit = 10_000

    private struct State {
        var entries: [Journal.Entry] = []
        var lostCount = 0
    }

    private let state = Mutex(State())

    /// - Returns: Whether it is the first one: somebody has to write it.
    func add(_ entry: Journal.Entry) -> Bool {
        state.withLock { state in
            guard state.entries.count < Self.limit else {
                state.lostCount += 1
                return false
            }
            state.entries.append(entry)
            return state.entries.count == 1
        }
    }

    /// All of them, and how many found no place since the last time.
    func take() -> (entries: [Journal.Entry], lostCount: Int) {
        state.withLock { state in
            defer { state = State() }
            return (state.entries, state.lostCount)
        }
    }
}

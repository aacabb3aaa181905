import HearthWire
import Synchronization

/// Events and exposures on their way to the disk, in their order. Use it from any thread; nobody waits.
final class WaitingEntries: Sendable {
    /// More wait only when the disk stands still.
    static let limit = 10_000

    struct Entry: Sendable {
        var time: Timestamp
        var content: Content
    }

    enum Content: Sendable {
        case event(EventBodies.Event)
        case exposure(Exposure)
    }

    struct Contents {
        var entries: [Entry] = []
        /// How many found no place.
        var lostCount = 0
        /// Whether what was written before is to be erased first.
        var erasesOlder = false
    }

    private let state = Mutex(Contents())

    /// - Returns: Whether it is the first one: somebody has to write it.
    func add(_ entry: Entry) -> Bool {
        state.withLock { state in
            guard state.entries.count < Self.limit else {
                state.lostCount += 1
                return false
            }
            state.entries.append(entry)
            return state.entries.count == 1
        }
    }

    /// Forgets what waits, and what was written before.
    func erase() { state.withLock { $0 = Contents(erasesOlder: true) } }

    func take() -> Contents {
        state.withLock { state in
            defer { state = Contents() }
            return state
        }
    }
}

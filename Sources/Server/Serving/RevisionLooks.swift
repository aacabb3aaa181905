import HearthConcurrency
import HearthStorage

/// Asks the database whether another server has changed what is served, before this one refuses a caller. Servers hear
/// of changes within milliseconds, but a caller may be faster. Safe to use from any thread.
///
/// Anyone can show credentials that nobody knows. So there are so many questions in a second, whoever causes them.
final class RevisionLooks: Sendable {
    static let perSecond = 20.0

    private struct State {
        var left = perSecond
        var countedAt = ContinuousClock.now
    }

    private let state = Lock(State())

    /// Makes the store's revision as new as the database's.
    ///
    /// - Returns: false after too many questions, or if the database does not answer.
    func refreshRevision(of metadata: any MetadataStore) -> Bool {
        guard begin() else { return false }
        return (try? metadata.currentServingRevision()) != nil
    }

    private func begin() -> Bool {
        state.withLock { state in
            let now = ContinuousClock.now
            state.left = min(Self.perSecond, state.left + Self.perSecond * ((now - state.countedAt) / .seconds(1)))
            state.countedAt = now
            guard state.left >= 1 else { return false }
            state.left -= 1
            return true
        }
    }
}

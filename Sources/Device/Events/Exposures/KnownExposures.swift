import Synchronization

/// The exposures that this process has reported of one installation, so that the next one who says the same costs nothing. Use
/// it from any thread.
final class KnownExposures: Sendable {
    private struct State {
        var exposures: Set<Exposure> = []
        var installationChangeCount = 0
    }

    private static let limit = 10_000

    private let state = Mutex(State())

    /// Whether nobody has said it before.
    ///
    /// - Parameter installationChangeCount: Another installation is another unit of every experiment.
    func insert(_ exposure: Exposure, installationChangeCount: Int) -> Bool {
        state.withLock { state in
            if state.installationChangeCount != installationChangeCount || state.exposures.count >= Self.limit {
                state = State(installationChangeCount: installationChangeCount)
            }
            return state.exposures.insert(exposure).inserted
        }
    }

    func clear() { state.withLock { $0.exposures = [] } }
}

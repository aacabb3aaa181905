import HearthApp
import HearthConcurrency
import HearthFiles
import HearthWire

/// The exposures that this process has reported for one installation, so that repeated reports cost nothing. Use it
/// from any thread.
final class ReportedExposureCache: Sendable {
    private struct State {
        var exposures: Set<Exposure> = []
        var installationChangeCount = 0
    }

    private static let limit = 10_000

    private let state = Lock(State())

    /// Adds an exposure.
    ///
    /// - Parameter installationChangeCount: After a change, all exposures count as new, because another installation is
    ///   another unit in every experiment.
    /// - Returns: Whether the exposure is new.
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

import HearthCatalog
import HearthConcurrency
import HearthMetrics

/// Shows in the metrics what the server does with guarded releases. Safe to use from any thread.
///
/// No series names a release or project: the log and the audit log do. All series exist from the start, so that an alert
/// notices the first stop too.
final class RolloutMetrics: Sendable {
    private struct State {
        var stopped = Dictionary(uniqueKeysWithValues: Guard.allCases.map { ($0, 0) })
        var watched = 0
        var unwatched = 0
    }

    private let state = Lock(State())

    func add(to metrics: ServerMetrics) {
        metrics.add(
            "hearth_rollouts_stopped_total", .counter, "Releases that a guard paused or ended because it found harm."
        ) { [self] in
            let stopped = state.withLock { $0.stopped }
            return Guard.allCases.map { ServerMetrics.Sample(Double(stopped[$0] ?? 0), ("guard", $0.rawValue)) }
        }
        metrics.add("hearth_rollouts_watched", .gauge, "Guarded releases under way that the server watches.") {
            [self] in Double(state.withLock { $0.watched })
        }
        metrics.add(
            "hearth_rollouts_unwatched", .gauge,
            "Guarded releases under way that the server does not watch, because it watches too many others."
        ) { [self] in Double(state.withLock { $0.unwatched }) }
    }

    func countStop(by guarded: Guard) { state.withLock { $0.stopped[guarded, default: 0] += 1 } }

    func show(watched: Int, unwatched: Int) {
        state.withLock { state in (state.watched, state.unwatched) = (watched, unwatched) }
    }
}

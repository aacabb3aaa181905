package import HearthCatalog
import HearthConcurrency
import HearthMetrics
import Synchronization

/// Shows in the metrics what the server does with guarded releases. Safe to use from any thread.
///
/// No series names a release or project: the log and the audit log do. All series exist from the start, so that an alert
/// notices the first stop too.
package final class RolloutMetrics: Sendable {
    private struct State {
        var stopped = Dictionary(uniqueKeysWithValues: Guard.allCases.map { ($0, 0) })
        var watched = 0
        var unwatched = 0
    }

    /// What became of a call for a model with a watched release.
    package enum Call: String, CaseIterable {
        case kept
        /// The device said the same in the same ten minutes.
        case repeated
        /// There were too many until the next check of the rollouts; or what was seen could not be sent.
        case dropped
    }

    private let state = Lock(State())
    // Counted in each call of a device.
    private let kept = Atomic(0)
    private let repeated = Atomic(0)
    private let dropped = Atomic(0)

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
        metrics.add(
            "hearth_rollouts_calls_total", .counter,
            "Questions of devices for models of which guards watch a release; the dropped ones include reports."
        ) { [self] in
            Call.allCases.map { ServerMetrics.Sample(Double(count(of: $0)), ("result", $0.rawValue)) }
        }
    }

    package func countCall(_ call: Call, _ count: Int = 1) {
        switch call {
        case .kept: kept.wrappingAdd(count, ordering: .relaxed)
        case .repeated: repeated.wrappingAdd(count, ordering: .relaxed)
        case .dropped: dropped.wrappingAdd(count, ordering: .relaxed)
        }
    }

    /// Since the server started.
    func count(of call: Call) -> Int {
        switch call {
        case .kept: kept.load(ordering: .relaxed)
        case .repeated: repeated.load(ordering: .relaxed)
        case .dropped: dropped.load(ordering: .relaxed)
        }
    }

    package func countStop(by guarded: Guard) { state.withLock { $0.stopped[guarded, default: 0] += 1 } }

    package func show(watched: Int, unwatched: Int) {
        state.withLock { state in (state.watched, state.unwatched) = (watched, unwatched) }
    }
}

import HearthApp
import HearthClient
import HearthConcurrency
import HearthModelSource

/// Checks for newer versions of a model from time to time. Ends when it is cancelled or released: keep it as long as
/// the model is to be kept up to date.
public final class ModelRefresh: Sendable {
    private struct State {
        var rules: RefreshBackoff
        /// The timer of the next check, until that check ends.
        var timer: (any DeviceTimer)?
        var check: Cancellation?
        var isCancelled = false
    }

    private let state: Lock<State>

    private init(_ rules: RefreshBackoff) { state = Lock(State(rules: rules)) }

    deinit { cancel() }

    /// Ends the refresh: no check begins afterwards. A running check is cancelled, but its download continues while
    /// other callers wait for the same model.
    public func cancel() {
        let (timer, check) = state.withLock { state in
            state.isCancelled = true
            return (state.timer.take(), state.check.take())
        }
        timer?.cancel()
        check?.cancel()
    }
}

extension ModelRefresh {
    /// What to keep up to date, and when not to.
    struct Plan: Sendable {
        let name: String
        let conditions: DownloadConditions
        let requiresExternalPower: Bool
    }

    static func start(_ plan: Plan, everySeconds seconds: Double, core: DeliveryCore) -> ModelRefresh {
        let rules = RefreshBackoff(everySeconds: seconds)
        let refresh = ModelRefresh(rules)
        let first = rules.firstDelay(
            isInstalled: core.isInstalled(plan.name), random: core.app.environment.random())
        refresh.schedule(first, plan, core)
        return refresh
    }

    /// The timer keeps neither the refresh nor the core alive.
    private func schedule(_ seconds: Double, _ plan: Plan, _ core: DeliveryCore) {
        state.withLock { state in
            guard !state.isCancelled else { return }
            state.check = nil
            state.timer = core.app.environment.clock.schedule(afterSeconds: seconds) { [weak self, weak core] in
                if let core { self?.check(plan, core) }
            }
        }
    }

    private func check(_ plan: Plan, _ core: DeliveryCore) {
        let hasPower = core.settings.deviceConditions.isOnExternalPower ?? true
        guard hasPower || !plan.requiresExternalPower else { return end(.skipped, plan, core) }
        let cancellation = core.download(
            plan.name, conditions: plan.conditions,
            completion: { [weak self, weak core] result in
                if let core { self?.end(RefreshBackoff.Outcome(result), plan, core) }
            })
        let isCancelled = state.withLock { state in
            // If the check has ended already, its cancellation has no effect.
            if !state.isCancelled { state.check = cancellation }
            return state.isCancelled
        }
        if isCancelled { cancellation.cancel() }
    }

    private func end(_ outcome: RefreshBackoff.Outcome, _ plan: Plan, _ core: DeliveryCore) {
        let random = core.app.environment.random()
        let seconds = state.withLock { $0.rules.delay(after: outcome, random: random) }
        if let seconds { schedule(seconds, plan, core) }
    }
}

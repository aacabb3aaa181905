import HearthApp
import HearthModelSource
import Synchronization

/// Looks for newer versions of a model from time to time. Ends when it is cancelled or released: keep it as long as the model
/// is to be kept up to date.
public final class ModelRefresh: Sendable {
    private struct State {
        var rules: RefreshRules
        /// The next check, or the one under way.
        var timer: (any DeviceTimer)?
        var check: DownloadTicket?
        var isCancelled = false
    }

    private let state: Mutex<State>

    private init(_ rules: RefreshRules) { state = Mutex(State(rules: rules)) }

    deinit { cancel() }

    /// No check begins after this; one under way is given up unless others wait for the same model.
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
        let conditions: TransferConditions
        let requiresExternalPower: Bool
    }

    static func start(_ plan: Plan, everySeconds seconds: Double, core: DeliveryCore) -> ModelRefresh {
        let rules = RefreshRules(everySeconds: seconds)
        let refresh = ModelRefresh(rules)
        let first = rules.firstPause(
            isInstalled: core.isInstalled(plan.name), random: core.app.environment.random())
        refresh.schedule(first, plan, core)
        return refresh
    }

    /// The timer keeps neither the refresh nor the core: both end when nobody else holds them.
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
        let ticket = core.fetch(
            plan.name, conditions: plan.conditions.downloadConditions,
            completion: { [weak self, weak core] result in
                if let core { self?.end(RefreshRules.Outcome(result), plan, core) }
            })
        let isCancelled = state.withLock { state in
            // Not when the check has ended already: the ticket is of no use then, and does no harm.
            if !state.isCancelled { state.check = ticket }
            return state.isCancelled
        }
        if isCancelled { ticket.cancel() }
    }

    private func end(_ outcome: RefreshRules.Outcome, _ plan: Plan, _ core: DeliveryCore) {
        let random = core.app.environment.random()
        let pause = state.withLock { $0.rules.pause(after: outcome, random: random) }
        if let pause { schedule(pause, plan, core) }
    }
}

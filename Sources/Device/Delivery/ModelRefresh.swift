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

/// When the next check for a newer version is due. Pure.
///
/// The times differ from device to device: devices that started, or lost the server, at the same time do not all come
/// back at the same time.
struct RefreshBackoff: Sendable, Equatable {
    /// How the last check went.
    enum Outcome: Sendable, Equatable {
        /// The newest version is installed, or another check soon would have the same result.
        case settled
        /// The connection, the power or the app's conditions did not allow the check.
        case skipped
        case failed(retryAfterSeconds: Double?)
        /// The app was deleted.
        case over

        init(_ result: Result<CustomModel, DownloadFailure>) {
            guard case .failure(let failure) = result else {
                self = .settled
                return
            }
            switch failure.code {
            case .appDeleted: self = .over
            case .conditionsNotMet: self = .skipped
            case _ where failure.isTemporary: self = .failed(retryAfterSeconds: failure.retryAfterSeconds)
            default: self = .settled
            }
        }
    }

    /// More frequent or rarer checks would be useless.
    static let intervalRange = 60.0...(366 * 86_400)
    private static let longestFirstWaitSeconds = 5.0

    let interval: Double
    private var backoff: Backoff

    /// Makes the rules of a refresh.
    ///
    /// - Parameter seconds: Moved into `intervalRange`.
    init(everySeconds seconds: Double) {
        let range = Self.intervalRange
        interval = seconds.isNaN ? range.lowerBound : min(max(seconds, range.lowerBound), range.upperBound)
        backoff = Backoff(firstSeconds: 30, longestSeconds: interval)
    }

    /// How many seconds pass before the first check. A device without the model cannot wait; others check some time
    /// after the start. Both times are random, so that devices do not all ask at the same time.
    ///
    /// - Parameter random: From 0 up to, but not including, 1.
    func firstDelay(isInstalled: Bool, random: Double) -> Double {
        (isInstalled ? interval / 10 : Self.longestFirstWaitSeconds) * random
    }

    /// The seconds before the next check; nil when no further check follows.
    mutating func delay(after outcome: Outcome, random: Double) -> Double? {
        switch outcome {
        case .over:
            return nil
        case .settled, .skipped:
            backoff.reset()
            return interval * (0.9 + 0.2 * random)
        case .failed(let retryAfter):
            return backoff.next(requestedSeconds: retryAfter, random: random)
        }
    }
}

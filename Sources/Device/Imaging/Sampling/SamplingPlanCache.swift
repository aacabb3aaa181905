import Synchronization

/// Keeps the plan that was used last: a model mostly sees pictures of one size.
final class SamplingPlanCache: Sendable {
    private let last = Mutex<SamplingPlan?>(nil)

    func plan(for key: SamplingPlan.Key) -> SamplingPlan {
        if let plan = last.withLock({ $0 }), plan.key == key { return plan }
        let plan = SamplingPlan(key)
        last.withLock { $0 = plan }
        return plan
    }
}

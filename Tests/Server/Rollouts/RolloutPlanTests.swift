import HearthCatalog
import HearthRollouts
import Testing

struct RolloutPlanTests {
    private let plan = RolloutPlan(shares: [10_000, 50_000, 1_000_000], holdSeconds: 7200)

    private func finding(_ verdict: GuardVerdict, counted: Int = 1000, expected: Double = 1000) -> GuardFinding {
        GuardFinding(guarded: .crashes, verdict: verdict, counted: counted, expected: expected, devices: [counted, 0])
    }

    @Test(arguments: [(Int64(7199), RolloutPlan.Step.wait), (Int64(7200), .widen(to: 50_000))])
    func satisfiedGuardsWidenAfterTheHold(seconds: Int64, step: RolloutPlan.Step) {
        #expect(plan.step(share: 10_000, findings: [finding(.satisfied)], secondsAtShare: seconds) == step)
    }

    @Test func aViolatedGuardStopsAtAnyTime() {
        let findings = [finding(.satisfied), finding(.violated)]
        #expect(plan.step(share: 10_000, findings: findings, secondsAtShare: 0) == .stop(.crashes))
        #expect(plan.step(share: 1_000_000, findings: findings, secondsAtShare: 0) == .stop(.crashes))
    }

    @Test func anUndecidedGuardWidensALittleWhenTheShareHasShownAll() {
        let undecided = [finding(.undecided)]
        #expect(plan.step(share: 10_000, findings: undecided, secondsAtShare: 86_399) == .wait)
        #expect(plan.step(share: 10_000, findings: undecided, secondsAtShare: 86_400) == .widen(to: 14_000))
        #expect(plan.step(share: 40_000, findings: undecided, secondsAtShare: 86_400) == .widen(to: 50_000))
        let half = [finding(.undecided, counted: 500)]
        #expect(plan.step(share: 10_000, findings: half, secondsAtShare: 3 * 86_400 - 1) == .wait)
        #expect(plan.step(share: 10_000, findings: half, secondsAtShare: 3 * 86_400) == .widen(to: 14_000))
    }

    @Test func aShareWaitsForDevicesThatMayYetHaveFailedButNotForever() {
        var pending = finding(.undecided)
        pending.isPending = true
        #expect(plan.step(share: 10_000, findings: [pending], secondsAtShare: 3 * 86_400 - 1) == .wait)
        #expect(plan.step(share: 10_000, findings: [pending], secondsAtShare: 3 * 86_400) == .widen(to: 14_000))
    }

    @Test func theLastShareStays() {
        #expect(plan.step(share: 1_000_000, findings: [finding(.satisfied)], secondsAtShare: 86_400) == .wait)
    }
}

import HearthProbe
import Testing

@Suite struct MeasuringPlanTests {
    @Test(arguments: [(1, 5), (10_000, 5), (20, 0.001), (20, 3600)])
    func plansWithinTheLimitsAreTaken(runs: Int, seconds: Double) {
        #expect(MeasuringPlan(runs: runs, seconds: seconds) != nil)
    }

    @Test(arguments: [(0, 5), (-1, 5), (10_001, 5), (20, 0), (20, -1), (20, 3600.1), (20, .nan), (20, .infinity)])
    func otherPlansAreNot(runs: Int, seconds: Double) {
        #expect(MeasuringPlan(runs: runs, seconds: seconds) == nil)
    }
}

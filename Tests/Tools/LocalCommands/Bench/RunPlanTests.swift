import Testing

@testable import HearthLocalCommands

@Suite struct RunPlanTests {
    @Test(arguments: [
        (Duration.milliseconds(1), 2000), (.milliseconds(100), 20), (.seconds(5), 20), (.nanoseconds(1), 100_000),
        (.zero, 100_000), (.seconds(Int64.max), 20),
    ])
    func theTimeIsFilledWithinTheBounds(each: Duration, runs: Int) {
        #expect(RunPlan.runs(filling: .seconds(2), each: each) == runs)
    }
}

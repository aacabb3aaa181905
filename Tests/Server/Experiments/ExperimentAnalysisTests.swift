import HearthExperiments
import Testing

struct ExperimentAnalysisTests {
    private let goal = Metric(event: "bought", kind: .conversion)
    private let latency = Metric(event: "latency", kind: .average, isLowerBetter: true)

    private func analysis(_ names: [String] = ["control", "new"], guardrails: [Guardrail] = []) -> ExperimentAnalysis {
        ExperimentAnalysis(
            Experiment(
                projectID: "project-a", name: "e",
                variants: names.map { Experiment.Variant(name: $0, parameters: ["p": $0]) }, goal: goal,
                guardrails: guardrails))
    }

    private func conversions(_ count: Int, _ sum: Double) -> Sample {
        Sample(count: count, sum: sum, sumOfSquares: sum)
    }

    private func latencies(_ count: Int, mean: Double, deviation: Double) -> Sample {
        let squares = Double(count) * mean * mean + Double(count - 1) * deviation * deviation
        return Sample(count: count, sum: Double(count) * mean, sumOfSquares: squares)
    }

    @Test func aClearDifferenceWins() {
        let report = analysis().report(
            ExperimentData(exposures: [10_000, 10_000], goal: [conversions(10_000, 1000), conversions(10_000, 1250)]))
        #expect(report.verdict == .winner("new"))
        #expect(report.goal[1].probabilityToBeBest.map { $0 > 0.999 } == true)
        #expect(report.goal[1].difference.map { abs($0 - 0.025) < 1e-12 } == true)
        #expect(!report.hasSampleRatioMismatch)
    }

    @Test func theControlWinsWhereAllOthersAreWorse() {
        let worse = conversions(10_000, 800)
        let report = analysis(["control", "a", "b"]).report(
            ExperimentData(exposures: [10_000, 10_000, 10_000], goal: [conversions(10_000, 1000), worse, worse]))
        #expect(report.verdict == .winner("control"))
    }

    @Test func aSmallDifferenceGoesOn() {
        let report = analysis().report(
            ExperimentData(exposures: [10_000, 10_000], goal: [conversions(10_000, 1000), conversions(10_000, 1030)]))
        #expect(report.verdict == .undecided)
    }

    @Test func nothingIsDecidedBeforeTheBurnInIsOver() {
        let report = analysis().report(
            ExperimentData(exposures: [150, 150], goal: [conversions(150, 5), conversions(150, 80)]))
        #expect(report.verdict == .undecided)
        #expect(report.goal[1].pValue == nil)
        #expect(report.goal[1].credibleInterval != nil)
    }

    @Test func nobodyWinsWhereInstallationsAreMissing() {
        let data = ExperimentData(
            exposures: [10_000, 9000], goal: [conversions(10_000, 1000), conversions(9000, 1250)])
        #expect(analysis().hasSampleRatioMismatch(data))
        #expect(analysis().verdict(data) == .undecided)
    }

    /// Four times the control's rate is allowed, and the rate is known from few conversions: five times is no proof.
    @Test func aMarginIsAsUnsureAsTheControl() {
        let guardrail = Guardrail(metric: Metric(event: "crash", kind: .conversion, isLowerBetter: true), margin: 3)
        func verdict(_ crashes: Double) -> ExperimentVerdict {
            analysis(guardrails: [guardrail]).verdict(
                ExperimentData(
                    exposures: [2000, 2000], goal: [conversions(2000, 200), conversions(2000, 200)],
                    guardrails: [[conversions(2000, 20), conversions(2000, crashes)]]))
        }
        #expect(verdict(100) == .undecided)
        #expect(verdict(400) == .harm(variant: "new", metric: guardrail.metric))
    }

    @Test func harmStopsEvenAWinner() {
        let guardrail = Guardrail(metric: latency, margin: 0.1)
        let data = ExperimentData(
            exposures: [10_000, 10_000], goal: [conversions(10_000, 1000), conversions(10_000, 1250)],
            guardrails: [
                [
                    latencies(10_000, mean: 20, deviation: 5), latencies(10_000, mean: 24, deviation: 5),
                ]
            ])
        #expect(analysis(guardrails: [guardrail]).report(data).verdict == .harm(variant: "new", metric: latency))
        let wide = Guardrail(metric: latency, margin: 0.3)
        #expect(analysis(guardrails: [wide]).report(data).verdict == .winner("new"))
    }

    @Test func lostInstallationsAreTold() {
        let report = analysis().report(
            ExperimentData(exposures: [10_000, 9000], goal: [conversions(10_000, 1000), conversions(9000, 900)]))
        #expect(report.hasSampleRatioMismatch)
    }
}

struct SampleRatioTests {
    @Test func whatWasPromisedIsNoMismatch() {
        #expect(SampleRatioTest.pValue(counts: [5000, 5000], weights: [1, 1]) == 1)
        #expect(SampleRatioTest.pValue(counts: [5060, 4940], weights: [1, 1]) > 0.05)
        #expect(SampleRatioTest.pValue(counts: [1000, 2010, 6990], weights: [1, 2, 7]) > 0.05)
    }

    @Test func aLossOfOneInTenIsOne() {
        #expect(SampleRatioTest.pValue(counts: [10_000, 9000], weights: [1, 1]) < SampleRatioTest.threshold)
    }

    @Test func aFewOfThemSayNothing() {
        #expect(SampleRatioTest.pValue(counts: [0, 0], weights: [1, 1]) == 1)
        #expect(SampleRatioTest.pValue(counts: [3, 0], weights: [1, 1]) > 0.05)
    }
}

extension ExperimentAnalysisTests {
    @Test func theIntervalOfADifferenceLeavesOutZeroExactlyWhereThePValueRejects() throws {
        let three = analysis(["control", "a", "b"])
        #expect(three.goalErrorRate == 0.025)
        for sum in stride(from: 1000.0, through: 1300, by: 10) {
            let report = three.report(
                ExperimentData(
                    exposures: [10_000, 10_000, 10_000],
                    goal: [conversions(10_000, 1000), conversions(10_000, sum), conversions(10_000, 1000)]))
            let row = report.goal[1]
            let (interval, pValue) = (try #require(row.differenceInterval), try #require(row.pValue))
            #expect((pValue <= 0.025) == !interval.contains(0))
            #expect(interval.contains(sum / 10_000 - 0.1))
            #expect(report.goal[0].differenceInterval == nil)
        }
    }

    @Test func thereIsNoIntervalBeforeTheBurnInIsOver() {
        let report = analysis().report(
            ExperimentData(exposures: [150, 150], goal: [conversions(150, 5), conversions(150, 80)]))
        #expect(report.goal[1].difference == 0.5)
        #expect(report.goal[1].differenceInterval == nil)
    }

    @Test func theComparisonsOfTheGoalAreThoseOfTheReport() {
        let data = ExperimentData(
            exposures: [10_000, 10_000], goal: [conversions(10_000, 1000), conversions(10_000, 1250)])
        let rows = analysis().report(data).goal
        let comparisons = analysis().goalComparisons(data)
        #expect(comparisons.map(\.value) == rows.map(\.value))
        #expect(comparisons.map(\.difference) == rows.map(\.difference))
        #expect(comparisons.map(\.interval) == rows.map(\.differenceInterval))
        #expect(comparisons.map(\.pValue) == rows.map(\.pValue))
    }

    /// The variance of equal rates would be too small here.
    @Test func inGroupsOfDifferentSizesTheIntervalIsWideEnoughForRatesThatDiffer() throws {
        let (few, many) = (conversions(1000, 400), conversions(9000, 90))
        let report = analysis().report(ExperimentData(exposures: [9000, 1000], goal: [many, few]))
        let interval = try #require(report.goal[1].differenceInterval)
        let test = SequentialTest(errorRate: 0.05, plannedSize: 10_000)
        let plain = try #require(SequentialTest.Difference(few, over: many))
        #expect(abs(interval.upperBound - interval.lowerBound - 2 * test.radius(plain)) < 1e-12)
    }
}

import Testing

@testable import HearthExperiments

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
        let plain = try #require(SequentialTest.Difference(plain: few, over: many))
        let skewed = try #require(SequentialTest.Difference(skewed: few, over: many, areRates: true))
        #expect(skewed.variance == plain.variance)
        #expect(abs(interval.upperBound - 0.39 - (0.39 - interval.lowerBound)) < 1e-12)
        #expect(try abs(interval.upperBound - 0.39 - #require(report.goal[1].decisiveDifference)) < 1e-12)
    }
}

/// What a page shows beside a verdict must not say something else.
struct ExperimentFigureTests {
    private func analysis(
        _ kind: Metric.Kind, weight: Int = 1, guardrails: [Guardrail] = []
    ) -> ExperimentAnalysis {
        ExperimentAnalysis(
            Experiment(
                projectID: "project-a", name: "e",
                variants: [
                    .init(name: "control", weight: weight, parameters: ["p": "0"]),
                    .init(name: "new", parameters: ["p": "1"]),
                ], goal: Metric(event: "bought", kind: kind), guardrails: guardrails))
    }

    private func conversions(_ count: Int, _ sum: Double) -> Sample {
        Sample(count: count, sum: sum, sumOfSquares: sum, nonzero: Int(sum))
    }

    /// Its few buyers have not bought anything large yet. A test that believes the group's own variance stops here.
    @Test func aSmallGroupWithoutLargeValuesLosesNothing() {
        let data = ExperimentData(
            exposures: [9000, 1000],
            goal: [
                Sample(count: 9000, sum: 1800, sumOfSquares: 40_000, nonzero: 450),
                Sample(count: 1000, sum: 50, sumOfSquares: 60, nonzero: 50),
            ])
        #expect(analysis(.total, weight: 9).verdict(data) == .undecided)
        let guardrail = Guardrail(metric: Metric(event: "paid", kind: .total), margin: 0.02)
        let guarded = ExperimentData(
            exposures: [9000, 1000], goal: [conversions(9000, 900), conversions(1000, 100)], guardrails: [data.goal])
        #expect(analysis(.conversion, weight: 9, guardrails: [guardrail]).verdict(guarded) == .undecided)
    }

    private func totals(_ buyers: [Int], of counts: [Int] = [10_000, 10_000], weight: Int = 1) -> ExperimentReport {
        analysis(.total, weight: weight).report(
            ExperimentData(exposures: counts, goal: zip(counts, buyers).map { conversions($0, Double($1)) }))
    }

    @Test func totalsWaitForValues() throws {
        let few = totals([90, 49])
        #expect(few.goal[1].pValue == nil && few.goal[1].differenceInterval == nil)
        #expect(few.goal[1].decisiveDifference == nil)
        #expect(
            few.goal[1].shortages == [
                .init(kind: .nonzeroTotals, sample: 1, needed: 50, found: 49),
                .init(kind: .expectedNonzeroTotals, sample: nil, needed: 100, found: 69),
            ])
        #expect(few.isTooEarly && few.verdict == .undecided)
        let enough = totals([80, 50])
        #expect(enough.goal[1].shortages.isEmpty && !enough.isTooEarly && enough.goal[1].pValue != nil)
    }

    /// A variant must not decide by what it does to the values whether it is judged.
    @Test func whoStopsAllPurchasesIsStopped() {
        #expect(totals([199, 0]).verdict == .undecided)
        #expect(totals([199, 0]).goal[1].shortages.map(\.found) == [0, 99])
        #expect(totals([200, 0]).goal[1].shortages.isEmpty && totals([200, 0]).verdict == .winner("control"))
        #expect(totals([210, 20]).verdict == .winner("control"))
        #expect(totals([0, 200]).verdict == .winner("new"))
        // One in ten installations is the variant's.
        let unequal = [18_000, 2000]
        #expect(totals([999, 0], of: unequal, weight: 9).goal[1].shortages.map(\.found) == [0, 99])
        #expect(totals([1000, 0], of: unequal, weight: 9).verdict == .winner("control"))
    }

    @Test func crashesThatTheControlDoesNotHaveAreHarm() {
        let guardrail = Guardrail(metric: Metric(event: "crash", kind: .total, isLowerBetter: true), margin: 0.1)
        func verdict(_ crashes: Double) -> ExperimentVerdict {
            analysis(.conversion, guardrails: [guardrail]).verdict(
                ExperimentData(
                    exposures: [10_000, 10_000], goal: [conversions(10_000, 1000), conversions(10_000, 1000)],
                    guardrails: [[conversions(10_000, 0), conversions(10_000, crashes)]]))
        }
        // 100 are expected of the control, and 110 of the variant.
        #expect(verdict(209) == .undecided)
        #expect(verdict(210) == .harm(variant: "new", metric: guardrail.metric))
    }

    /// A sample that may have a tenth of the control's values has few of them while the hypothesis holds.
    @Test func whatAGuardrailExpectsFollowsItsMargin() {
        let guardrail = Guardrail(metric: Metric(event: "buy", kind: .total), margin: 0.9)
        func verdict(_ control: Int, _ new: Int) -> ExperimentVerdict {
            func bought(_ buyers: Int) -> Sample {
                var sample = Sample()
                // What they pay differs little, so that few values suffice for a proof.
                for index in 0..<10_000 { sample.add(index < buyers ? 1 + Double(index % 3) / 100 : 0) }
                return sample
            }
            return analysis(.conversion, guardrails: [guardrail]).verdict(
                ExperimentData(
                    exposures: [10_000, 10_000], goal: [conversions(10_000, 1000), conversions(10_000, 1000)],
                    guardrails: [[bought(control), bought(new)]]))
        }
        // A tenth of what both have together is expected with the variant: 95 are too few.
        #expect(verdict(1040, 5) == .undecided)
        #expect(verdict(1096, 5) == .harm(variant: "new", metric: guardrail.metric))
    }

    @Test func whatIsLackingHasANumber() {
        func shortages(_ control: Sample, _ new: Sample) -> [BurnIn.Shortage] {
            analysis(.conversion).report(ExperimentData(exposures: [0, 0], goal: [control, new])).goal[1].shortages
        }
        #expect(
            shortages(conversions(150, 9), conversions(199, 3)) == [
                .init(kind: .installations, sample: 0, needed: 200, found: 150),
                .init(kind: .installations, sample: 1, needed: 200, found: 199),
                .init(kind: .conversions, sample: nil, needed: 20, found: 12),
            ])
        #expect(
            shortages(conversions(200, 195), conversions(200, 186)) == [
                .init(kind: .nonConversions, sample: nil, needed: 20, found: 19)
            ])
        #expect(shortages(conversions(200, 10), conversions(200, 10)).isEmpty)
    }

    /// 40 % and 50.3 % of 350 each: best with 99.7 %, and no proof.
    @Test func noneIsTheBestBeforeTheTestHasFoundIt() throws {
        let data = ExperimentData(exposures: [350, 350], goal: [conversions(350, 140), conversions(350, 176)])
        let report = analysis(.conversion).report(data)
        #expect(report.verdict == .undecided && report.goal.allSatisfy { $0.probabilityToBeBest == nil })
        let row = report.goal[1]
        let (needed, difference) = (try #require(row.decisiveDifference), try #require(row.difference))
        #expect(needed > difference && difference > 0.1)
        #expect(try #require(row.differenceInterval).contains(0) && #require(row.pValue) > 0.05)
        let posteriors = data.goal.compactMap { Posterior($0, kind: .conversion) }
        #expect(Posterior.probabilitiesToBeBest(posteriors, isLowerBetter: false)[1] > 0.99)
    }

    @Test func noneIsTheBestWhereInstallationsAreMissing() {
        let report = analysis(.conversion).report(
            ExperimentData(exposures: [10_000, 9000], goal: [conversions(10_000, 1000), conversions(9000, 1250)]))
        #expect(report.hasSampleRatioMismatch && report.goal.allSatisfy { $0.probabilityToBeBest == nil })
    }

    /// At any weights, for rates as for totals.
    @Test func theVerdictTheIntervalAndThePValueAgree() throws {
        var verdicts: Set<ExperimentVerdict> = []
        for sum in stride(from: 20.0, through: 200, by: 2) {
            for kind in [Metric.Kind.conversion, .total] {
                let report = analysis(kind, weight: 9).report(
                    ExperimentData(
                        exposures: [9000, 1000], goal: [conversions(9000, 900), conversions(1000, sum)]))
                let row = report.goal[1]
                guard let pValue = row.pValue else { continue }
                #expect((pValue <= 0.05) == !(try #require(row.differenceInterval).contains(0)))
                #expect((pValue <= 0.05) == (report.verdict != .undecided))
                #expect((row.probabilityToBeBest != nil) == (report.verdict != .undecided))
                verdicts.insert(report.verdict)
            }
        }
        #expect(verdicts == [.undecided, .winner("control"), .winner("new")])
    }

    /// An interval without the value that it stands beside confuses its readers.
    @Test func theIntervalOfARateContainsTheRate() throws {
        for (sum, end) in [(0.0, 0.0), (104, 1)] {
            let interval = try #require(Posterior(conversions(104, sum), kind: .conversion)).credibleInterval()
            #expect(interval.contains(end))
            #expect(interval.upperBound - interval.lowerBound < 0.03)
        }
    }
}

import HearthExperiments
import HearthTestSupport
import Testing

struct SequentialTestTests {
    private let test = SequentialTest(errorRate: 0.05, plannedSize: 5000)

    @Test func theIntervalLeavesOutZeroExactlyWhereThePValueRejects() throws {
        for sum in stride(from: 500.0, through: 700, by: 5) {
            let control = Sample(count: 5000, sum: 500, sumOfSquares: 500)
            let difference = try #require(
                SequentialTest.Difference(plain: Sample(count: 5000, sum: sum, sumOfSquares: sum), over: control))
            let isRejected = test.pValue(difference) <= 0.05
            #expect(isRejected == (abs(difference.estimate) >= test.radius(difference)))
        }
    }

    @Test func noDifferenceIsNoEvidence() throws {
        let sample = Sample(count: 1000, sum: 100, sumOfSquares: 100)
        let difference = try #require(SequentialTest.Difference(skewed: sample, over: sample, areRates: true))
        #expect(test.pValue(difference) == 1)
    }

    @Test func samplesThatSayNothingHaveNoDifference() {
        let empty = Sample()
        let sure = Sample(count: 10, sum: 10, sumOfSquares: 10)
        #expect(SequentialTest.Difference(skewed: sure, over: sure) == nil)
        #expect(SequentialTest.Difference(skewed: sure, over: sure, areRates: true) == nil)
        #expect(SequentialTest.Difference(skewed: empty, over: sure) == nil)
    }

    /// Looked at after every batch of 100, of 300 experiments without a difference one in twenty may stop; a fixed test
    /// looked at as often would stop four in ten.
    @Test func lookingOftenFindsNothingThatIsNotThere() throws {
        var random = SeededGenerator(seed: 11)
        var stops = 0
        for _ in 0..<300 {
            var samples = [Sample(), Sample()]
            for look in 1...50 {
                for index in 0...1 {
                    for _ in 0..<100 { samples[index].add(Double.random(in: 0..<1, using: &random) < 0.1 ? 1 : 0) }
                }
                guard look >= 2,
                    let difference = SequentialTest.Difference(skewed: samples[1], over: samples[0], areRates: true)
                else { continue }
                if test.pValue(difference) <= 0.05 {
                    stops += 1
                    break
                }
            }
        }
        // 15 expected at the most; 5 standard deviations above are 34.
        #expect(stops <= 34)
    }

    /// Looked at after every batch of 100, of 300 experiments one in twenty intervals may ever miss the difference.
    @Test func lookingOftenTheIntervalStillContainsTheDifference() throws {
        var random = SeededGenerator(seed: 12)
        var misses = 0
        for _ in 0..<300 {
            var samples = [Sample(), Sample()]
            for look in 1...50 {
                for (index, rate) in [0.1, 0.2].enumerated() {
                    for _ in 0..<100 { samples[index].add(Double.random(in: 0..<1, using: &random) < rate ? 1 : 0) }
                }
                guard look >= 2, let difference = SequentialTest.Difference(plain: samples[1], over: samples[0])
                else { continue }
                if !test.interval(difference).contains(0.1) {
                    misses += 1
                    break
                }
            }
        }
        // 15 expected at the most; 5 standard deviations above are 34.
        #expect(misses <= 34)
    }

    /// A small group whose few buyers have bought little beside a large one with large sums: its own variance is far too
    /// small. And the other way round.
    @Test func ofTwoVariancesTheLargerCounts() throws {
        let little = Sample(count: 1000, sum: 50, sumOfSquares: 60, nonzero: 50)
        let much = Sample(count: 9000, sum: 1800, sumOfSquares: 40_000, nonzero: 180)
        let unlucky = try #require(SequentialTest.Difference(skewed: little, over: much))
        #expect(try #require(SequentialTest.Difference(plain: little, over: much)).variance * 8 < unlucky.variance)
        let lucky = Sample(count: 1000, sum: 400, sumOfSquares: 40_000, nonzero: 50)
        let poor = Sample(count: 9000, sum: 450, sumOfSquares: 540, nonzero: 450)
        let own = try #require(SequentialTest.Difference(plain: lucky, over: poor)).variance
        #expect(try #require(SequentialTest.Difference(skewed: lucky, over: poor)).variance == own)
    }

    /// A control with 2 % and a guardrail that allows twice as much.
    @Test func theVarianceOfRatesWithAMarginIsThatAtTheMargin() throws {
        let many = Sample(count: 9000, sum: 180, sumOfSquares: 180)
        let few = Sample(count: 1000, sum: 10, sumOfSquares: 10)
        let difference = try #require(SequentialTest.Difference(skewed: few, over: many, times: 2, areRates: true))
        // 190 of 11,000 for the control, and twice that for the variant.
        let rate = 190.0 / 11_000
        #expect(abs(difference.variance - (2 * rate * (1 - 2 * rate) / 1000 + 4 * rate * (1 - rate) / 9000)) < 1e-12)
        #expect(abs(difference.estimate + 0.03) < 1e-12)
    }

    /// The same standardized difference at the same number of installations says less when values have grown.
    @Test func theClockGoesOnWhileValuesGrow() throws {
        let clock = SequentialTest(errorRate: 0.05, plannedSize: 5000, precision: 0.02)
        func pValue(_ test: SequentialTest, rate: Double) throws -> Double {
            let error = (2 * rate * (1 - rate) / 5000).squareRoot()
            let (low, high) = (5000 * (rate - 1.6 * error), 5000 * (rate + 1.6 * error))
            let difference = try #require(
                SequentialTest.Difference(
                    skewed: Sample(count: 5000, sum: high, sumOfSquares: high),
                    over: Sample(count: 5000, sum: low, sumOfSquares: low), areRates: true))
            return test.pValue(difference)
        }
        let (early, late, later) = (
            try pValue(clock, rate: 0.02), try pValue(clock, rate: 0.2), try pValue(clock, rate: 0.8)
        )
        #expect(early < 0.05 && early * 1.3 < late && late * 2 < later)
        // For values that never grow the number of installations is the clock.
        #expect(abs(try pValue(test, rate: 0.02) - pValue(test, rate: 0.8)) < 1e-3)
    }

    @Test func theIntervalBelongsToThePValueAlsoWithTheClockOfInformation() throws {
        let clock = SequentialTest(errorRate: 0.05, plannedSize: 1000, precision: 0.01)
        let control = Sample(count: 9000, sum: 900, sumOfSquares: 9000, nonzero: 450)
        var found: Set<Bool> = []
        for sum in stride(from: 40.0, through: 400, by: 10) {
            let sample = Sample(count: 1000, sum: sum, sumOfSquares: sum * 10, nonzero: 50)
            let difference = try #require(SequentialTest.Difference(skewed: sample, over: control))
            let isRejected = clock.pValue(difference) <= 0.05
            #expect(isRejected == !clock.interval(difference).contains(0))
            found.insert(isRejected)
        }
        #expect(found.count == 2)
    }

    /// Values around 0, such as profits, have no size that the information could be compared with.
    @Test func valuesThatAddUpToNothingCanBeTold() throws {
        let clock = SequentialTest(errorRate: 0.05, plannedSize: 1000, precision: 1)
        let (minus, plus) = (
            Sample(count: 5000, sum: -1000, sumOfSquares: 5000), Sample(count: 5000, sum: 1000, sumOfSquares: 5000)
        )
        let difference = try #require(SequentialTest.Difference(skewed: plus, over: minus))
        #expect(clock.pValue(difference) < 1e-6)
    }
}

extension SequentialTest.Difference {
    /// `sample` minus `control`, with the variance that each sample's own spread shows.
    init?(plain sample: Sample, over control: Sample) {
        guard sample.count > 1, control.count > 1 else { return nil }
        let (count, controlCount) = (Double(sample.count), Double(control.count))
        let variance = sample.variance / count + control.variance / controlCount
        guard variance > 0 else { return nil }
        self.init(
            estimate: sample.mean - control.mean, variance: variance,
            weight: count * controlCount / (count + controlCount))
    }
}

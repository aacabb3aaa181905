import HearthExperiments
import HearthTestSupport
import Testing

struct SequentialTestTests {
    private let test = SequentialTest(errorRate: 0.05, plannedSize: 5000)

    @Test func theIntervalLeavesOutZeroExactlyWhereThePValueRejects() throws {
        for sum in stride(from: 500.0, through: 700, by: 5) {
            let control = Sample(count: 5000, sum: 500, sumOfSquares: 500)
            let difference = try #require(
                SequentialTest.Difference(Sample(count: 5000, sum: sum, sumOfSquares: sum), over: control))
            let isRejected = test.pValue(difference) <= 0.05
            #expect(isRejected == (abs(difference.estimate) >= test.radius(difference)))
        }
    }

    @Test func noDifferenceIsNoEvidence() throws {
        let sample = Sample(count: 1000, sum: 100, sumOfSquares: 100)
        let difference = try #require(SequentialTest.Difference(pooled: sample, over: sample))
        #expect(test.pValue(difference) == 1)
    }

    @Test func samplesThatSayNothingHaveNoDifference() {
        let empty = Sample()
        let sure = Sample(count: 10, sum: 10, sumOfSquares: 10)
        #expect(SequentialTest.Difference(empty, over: sure) == nil)
        #expect(SequentialTest.Difference(sure, over: sure) == nil)
        #expect(SequentialTest.Difference(pooled: sure, over: sure) == nil)
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
                guard look >= 2, let difference = SequentialTest.Difference(pooled: samples[1], over: samples[0])
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
                guard look >= 2, let difference = SequentialTest.Difference(samples[1], over: samples[0]),
                    let interval = test.interval([difference])
                else { continue }
                if !interval.contains(0.1) {
                    misses += 1
                    break
                }
            }
        }
        // 15 expected at the most; 5 standard deviations above are 34.
        #expect(misses <= 34)
    }

    @Test func ofSeveralVariancesTheLargestCounts() throws {
        let (few, many) = (
            Sample(count: 300, sum: 120, sumOfSquares: 120), Sample(count: 9000, sum: 90, sumOfSquares: 90)
        )
        let pooled = try #require(SequentialTest.Difference(pooled: few, over: many))
        let plain = try #require(SequentialTest.Difference(few, over: many))
        #expect(plain.variance > pooled.variance)
        #expect(test.interval([pooled, plain]) == test.interval([plain]))
        #expect(test.interval([]) == nil)
    }
}

import HearthExperiments
import Testing

struct PosteriorTests {
    private func isNear(_ left: Double, _ right: Double, _ tolerance: Double = 1e-6) -> Bool {
        abs(left - right) <= tolerance
    }

    /// Figures of SciPy's `beta` and `t`.
    @Test func intervalsAreThoseOfAnotherLibrary() throws {
        let rate = try #require(Posterior(Sample(count: 200, sum: 30, sumOfSquares: 30), kind: .conversion))
        let interval = rate.credibleInterval()
        #expect(isNear(interval.lowerBound, 0.107259927) && isNear(interval.upperBound, 0.206163195), "\(interval)")
        var sample = Sample()
        for value in [1.0, 2, 4, 8, 9] { sample.add(value) }
        let mean = try #require(Posterior(sample, kind: .total)).credibleInterval()
        #expect(isNear(mean.lowerBound, 0.375074639) && isNear(mean.upperBound, 9.224925361), "\(mean)")
    }

    @Test func theBestOfTwoIsWhatTheIntegralSays() throws {
        let a = try #require(Posterior(Sample(count: 100, sum: 10, sumOfSquares: 10), kind: .conversion))
        let b = try #require(Posterior(Sample(count: 100, sum: 15, sumOfSquares: 15), kind: .conversion))
        let best = Posterior.probabilitiesToBeBest([a, b], isLowerBetter: false)
        #expect(isNear(best[1], 0.853283790, 1e-3), "\(best)")
        #expect(isNear(best[0] + best[1], 1))
        #expect(isNear(Posterior.probabilitiesToBeBest([a, b], isLowerBetter: true)[0], 0.853283790, 1e-3))
    }

    @Test func alikeVariantsShareTheChance() throws {
        let one = try #require(Posterior(Sample(count: 50, sum: 5, sumOfSquares: 5), kind: .conversion))
        for chance in Posterior.probabilitiesToBeBest([one, one, one, one], isLowerBetter: false) {
            #expect(isNear(chance, 0.25, 1e-3))
        }
    }

    @Test func extremesAreNumbers() throws {
        for sum in [0.0, 40] {
            let posterior = try #require(Posterior(Sample(count: 40, sum: sum, sumOfSquares: sum), kind: .conversion))
            let interval = posterior.credibleInterval()
            #expect(interval.lowerBound >= 0 && interval.upperBound <= 1)
        }
        #expect(Posterior(Sample(), kind: .conversion) == nil)
        #expect(Posterior(Sample(count: 1, sum: 3, sumOfSquares: 9), kind: .average) == nil)
        let same = try #require(Posterior(Sample(count: 3, sum: 6, sumOfSquares: 12), kind: .average))
        #expect(same.credibleInterval() == 2...2)
        #expect(Posterior.probabilitiesToBeBest([same, same], isLowerBetter: false) == [0.5, 0.5])
    }
}

import Testing

@testable import HearthCatalog

/// The expected numbers are those of a separate program, which sums SciPy's binomial chances over a denser grid.
@Suite("Rehearsals: whether a loss is shown") struct LossTestTests {
    /// Images, the allowed loss, the level, and the fewest lost answers that show a loss with 0, 1, 2, 3 and 5 gained.
    private static let fewest: [(Int, Double, Double, [Int?])] = [
        (20, 0, 0.05, [4, 6, 8, 10, 13]), (20, 0.01, 0.05, [4, 6, 8, 10, 13]),
        (50, 0, 0.05, [3, 6, 8, 9, 12]), (50, 0.01, 0.05, [4, 7, 8, 10, 13]),
        (100, 0.01, 0.05, [5, 7, 9, 11, 14]), (100, 0.05, 0.05, [10, 12, 14, 16, 19]),
        (200, 0.01, 0.05, [6, 8, 10, 12, 15]), (25, 0.1, 0.0025, [11, 14, 17, 19, nil]),
        (10, 0.1, 0.0025, [nil, nil, nil, nil, nil]),
    ]

    @Test("A loss is shown from so many lost answers on, and not with one less", arguments: fewest)
    private func shown(images: Int, limit: Double, level: Double, fewest: [Int?]) {
        let test = LossTest(images: images, limit: limit, level: level)
        for (gained, least) in zip([0, 1, 2, 3, 5], fewest) {
            let found = (0...images - gained).first { test.isShown(lost: $0, gained: gained) }
            #expect(found == least, "\(gained) gained")
        }
        #expect(test.leastLost == fewest[0])
        #expect(test.region.leastLost == fewest[0])
    }

    @Test("The results that show a loss are the same, whether they are asked for alone or together")
    func region() {
        for (images, limit) in [(20, 0.01), (37, 0), (60, 0.02)] {
            let test = LossTest(images: images, limit: limit, level: 0.05)
            let together = test.region
            for lost in 0...images {
                let most = (0...images - lost).last { test.isShown(lost: lost, gained: $0) } ?? -1
                #expect(max(together.mostGained[lost], -1) == most, "\(lost) lost of \(images)")
            }
        }
    }

    @Test(
        "Of versions that lose exactly what is allowed, one in twenty at most is refused, however many answers differ",
        arguments: [(20, 0), (23, 0.01), (44, 0.01), (50, 0), (100, 0.05), (200, 0.01)] as [(Int, Double)])
    private func size(images: Int, limit: Double) {
        let region = LossTest(images: images, limit: limit, level: 0.05).region
        let chances = (0...400).map { number in
            let gained = (1 - limit) / 2 * Double(number) / 400
            return region.chance(lost: gained + limit, gained: gained)
        }
        let largest = chances.max() ?? 1
        #expect(largest <= 0.05)
        // A test that refused hardly anything would keep the level as well.
        #expect(largest > 0.03, "\(largest)")
    }

    /// So a shown loss is no bound of the loss, and no text may call it one.
    @Test("A result can show a loss above a limit, and none above a slightly smaller one")
    func limits() {
        func isShown(_ limit: Double) -> Bool {
            LossTest(images: 50, limit: limit, level: 0.05).isShown(lost: 20, gained: 10)
        }
        #expect(!isShown(0.01) && isShown(0.0125))
    }

    @Test(
        "The level holds between the shares that are tried too",
        arguments: [(245, 0.001, 0.024619), (263, 0.0001, 0.00774), (457, 0.001, 0.007733)])
    func between(images: Int, limit: Double, gained: Double) {
        let region = LossTest(images: images, limit: limit, level: 0.05).region
        let chance = region.chance(lost: gained + limit, gained: gained)
        #expect(chance <= 0.05 && chance > 0.02, "\(chance)")
    }

    /// Numbers from a seed, so that each run draws the same images and trainings (SplitMix64).
    private struct Draws: RandomNumberGenerator {
        var state: UInt64 = 1

        mutating func next() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
            return mixed ^ (mixed >> 31)
        }
    }

    /// The guide warns of this. Trainings differ in one of ten answers: one image of five is a toss for each of them.
    @Test(
        "If the released version was the best of ten trainings on these images, an equal one is refused too often",
        arguments: [(0, 0.03...0.05, 0.18...0.24), (0.01, 0.01...0.03, 0.09...0.14)])
    func chosen(limit: Double, fair: ClosedRange<Double>, biased: ClosedRange<Double>) {
        let region = LossTest(images: 100, limit: limit, level: 0.05).region
        var draws = Draws()
        var refused = (fair: 0, biased: 0)
        let count = 10_000
        for _ in 0..<count {
            let tosses = (0..<100).reduce(0) { sum, _ in sum + (draws.next() % 5 == 0 ? 1 : 0) }
            func training() -> (high: UInt64, low: UInt64) {
                let (high, low) = (max(0, tosses - 64), min(64, tosses))
                return (high == 0 ? 0 : draws.next() >> (64 - high), low == 0 ? 0 : draws.next() >> (64 - low))
            }
            func isRefused(_ new: (high: UInt64, low: UInt64), after old: (high: UInt64, low: UInt64)) -> Bool {
                let lost = (old.high & ~new.high).nonzeroBitCount + (old.low & ~new.low).nonzeroBitCount
                let gained = (new.high & ~old.high).nonzeroBitCount + (new.low & ~old.low).nonzeroBitCount
                return gained <= region.mostGained[lost]
            }
            let trainings = (0..<10).map { _ in training() }
            let best = trainings.max {
                $0.high.nonzeroBitCount + $0.low.nonzeroBitCount < $1.high.nonzeroBitCount + $1.low.nonzeroBitCount
            }
            let new = training()
            if isRefused(new, after: trainings[0]) { refused.fair += 1 }
            if let best, isRefused(new, after: best) { refused.biased += 1 }
        }
        #expect(fair.contains(Double(refused.fair) / Double(count)), "\(refused)")
        #expect(biased.contains(Double(refused.biased) / Double(count)), "\(refused)")
    }

    @Test("Nothing lost, and nothing but gains, show no loss; one image cannot show any")
    func nothing() {
        for limit in [0, 0.01, 0.9999] {
            let test = LossTest(images: 100, limit: limit, level: 0.05)
            #expect(!test.isShown(lost: 0, gained: 0) && !test.isShown(lost: 0, gained: 100))
            #expect(!test.isShown(lost: 50, gained: 50))
        }
        #expect(LossTest(images: 1, limit: 0, level: 0.05).leastLost == nil)
        #expect(LossTest(images: 500, limit: 0.9999, level: 0.05).leastLost == nil)
    }

    @Test("Chances of binomial counts do not overflow, and sum to 1")
    func binomial() {
        #expect(abs(BinomialChance.atMost(2, of: 20, 0.05) - 0.924516) < 1e-6)
        #expect(abs(BinomialChance.atMost(480, of: 500, 0.99) - 2.774630e-7) < 1e-12)
        for chance in [0, 1e-9, 0.5, 0.999_999, 1] {
            let counts = BinomialChance.counts(of: 500, chance)
            #expect(abs(counts.reduce(0) { $0 + $1.chance } - 1) < 1e-12)
            #expect(BinomialChance.atMost(500, of: 500, chance) == 1)
            #expect(BinomialChance.atMost(-1, of: 500, chance) == 0)
        }
    }
}

import HearthCatalog
import HearthRollouts
import HearthTestSupport
import Testing

struct RateIntervalTests {
    private func interval(
        _ failed: Int, of devices: Int, counted: Int? = nil, pending: Int = 0, errorRate: Double = 0.05
    ) throws -> ClosedRange<Double> {
        let finding = GuardFinding(
            guarded: .crashes, verdict: .undecided, counted: counted ?? devices, expected: 0,
            devices: [devices, devices], failed: [failed, failed], pending: pending)
        return try #require(finding.rateInterval(.version, errorRate: errorRate))
    }

    @Test func nothingIsKnownWithoutDevices() throws { #expect(try interval(0, of: 0) == 0...1) }

    @Test func itContainsTheSeenShareAndGrowsNarrowerWithDevices() throws {
        var width = 1.0
        for devices in [10, 100, 1000, 10_000] {
            let found = try interval(devices / 10, of: devices)
            #expect(found.contains(0.1))
            #expect(found.upperBound - found.lowerBound < width)
            width = found.upperBound - found.lowerBound
        }
        #expect(width < 0.03)
    }

    @Test func allOrNoDevicesGiveOneBound() throws {
        let none = try interval(0, of: 1000)
        #expect(none.lowerBound == 0 && none.upperBound > 0.005 && none.upperBound < 0.02)
        let all = try interval(1000, of: 1000)
        #expect(all.upperBound == 1 && all.lowerBound > 0.98 && all.lowerBound < 0.995)
    }

    @Test func aSmallerErrorRateMakesItWider() throws {
        let (usual, careful) = (try interval(5, of: 1000), try interval(5, of: 1000, errorRate: 0.001))
        #expect(careful.lowerBound < usual.lowerBound && careful.upperBound > usual.upperBound)
    }

    @Test func devicesThatMayYetFailRaiseTheUpperBoundOnly() throws {
        let sure = try interval(5, of: 1000)
        let early = try interval(5, of: 1000, counted: 200)
        let pending = try interval(5, of: 1000, pending: 10)
        for late in [early, pending] {
            #expect(late.lowerBound == sure.lowerBound)
            #expect(late.upperBound > sure.upperBound)
        }
    }

    /// Looked at after every tenth device, of 300 fleets one in twenty intervals may ever miss the share.
    @Test func lookingOftenItStillContainsTheShare() throws {
        var random = SeededGenerator(seed: 13)
        var misses = 0
        for _ in 0..<300 {
            var failed = 0
            for devices in 1...500 {
                if Double.random(in: 0..<1, using: &random) < 0.05 { failed += 1 }
                if devices % 10 == 0, try !interval(failed, of: devices).contains(0.05) {
                    misses += 1
                    break
                }
            }
        }
        // 15 expected at the most; 5 standard deviations above are 34.
        #expect(misses <= 34)
    }

    @Test func timesHaveNoShareOfFailures() {
        let finding = GuardFinding(
            guarded: .runTime, verdict: .undecided, counted: 5, expected: 5, devices: [5, 5], ratio: 1)
        #expect(finding.rateInterval(.version, errorRate: 0.05) == nil)
    }
}

extension TimeTestTests {
    @Test func theIntervalOfTheRatioIsAboveTheLimitExactlyWhereTheGuardStops() throws {
        for slower in stride(from: 0.0, through: 0.3, by: 0.02) {
            let test = test(1000, slower: slower)
            let interval = try #require(test.ratioInterval)
            #expect(interval.contains(try #require(test.ratio)))
            #expect((test.verdict == .violated) == (interval.lowerBound > test.limit.tolerated))
        }
        #expect(test(TimeTest.burnIn - 1, slower: 0).ratioInterval == nil)
    }
}

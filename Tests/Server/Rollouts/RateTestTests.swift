import HearthCatalog
import HearthRollouts
import Testing

struct RateTestTests {
    private static let limit = GuardLimit(errorRate: 0.0015, tolerated: 0.001, harmful: 0.02)

    /// A test after its last period, in which that many devices of each arm were seen in turn, and the first ones failed.
    private func test(version: (seen: Int, failed: Int), below: (seen: Int, failed: Int)) -> RateTest {
        var test = RateTest(Self.limit)
        var seen = [0, 0]
        let all = version.seen + below.seen
        for number in 0..<all {
            let arm: Arm = number * version.seen / all < (number + 1) * version.seen / all ? .version : .below
            let failed = arm == .version ? version.failed : below.failed
            test.add(arm, isFirst: true, isNew: true, failed: seen[arm.rawValue] < failed)
            seen[arm.rawValue] += 1
        }
        test.closePeriod()
        return test
    }

    @Test func aVersionThatFailsOnManyDevicesIsStopped() {
        #expect(test(version: (500, 10), below: (16_000, 16)).verdict(counted: 500) == .violated)
    }

    @Test func failuresThatBothVersionsShareStopNothing() {
        let shared = test(version: (500, 10), below: (16_000, 320))
        #expect(shared.verdict(counted: 500) == .undecided)
        #expect(shared.logEvidenceOfDifference < 0)
    }

    @Test func aDifferenceWithinTheToleratedShareStopsNothing() {
        let small = test(version: (20_000, 20), below: (200_000, 2))
        #expect(small.logEvidenceOfDifference > 20)
        #expect(small.verdict(counted: 20_000) == .satisfied)
    }

    @Test func enoughSoundDevicesRuleOutTheHarm() {
        #expect(test(version: (500, 0), below: (16_000, 16)).verdict(counted: 500) == .satisfied)
        #expect(test(version: (200, 0), below: (16_000, 16)).verdict(counted: 200) == .undecided)
    }

    @Test func devicesThatMayYetFailDoNotCountAsSound() {
        let test = test(version: (500, 0), below: (16_000, 16))
        #expect(test.verdict(counted: 500, pending: 10) == .undecided)
    }

    @Test func fewDevicesThatMayYetFailDoNotMatter() {
        let test = test(version: (1000, 4), below: (16_000, 16))
        #expect(!test.wouldExceed(pending: 0))
        #expect(!test.wouldExceed(pending: 2))
        #expect(test.wouldExceed(pending: 30))
    }

    @Test func withoutDevicesToCompareWithNothingIsStopped() {
        #expect(test(version: (500, 50), below: (0, 0)).verdict(counted: 500) == .undecided)
    }

    @Test func aPeriodCountsOnlyWhenItIsOver() {
        var test = RateTest(Self.limit)
        for number in 0..<20 { test.add(.version, isFirst: true, isNew: true, failed: number < 10) }
        for _ in 0..<1000 { test.add(.below, isFirst: true, isNew: true, failed: false) }
        #expect(test.verdict(counted: 20) == .undecided)
        test.closePeriod()
        #expect(test.verdict(counted: 20) == .violated)
    }

    @Test func manyTrialsEndAPeriod() {
        var test = RateTest(Self.limit)
        for number in 0..<20 { test.add(.version, isFirst: true, isNew: true, failed: number < 10) }
        for _ in 0..<1003 { test.add(.below, isFirst: true, isNew: true, failed: false) }
        #expect(test.verdict(counted: 20) == .undecided)
        test.add(.below, isFirst: true, isNew: true, failed: false)
        #expect(test.verdict(counted: 20) == .violated)
    }
}

struct TimeTestTests {
    func test(_ count: Int, slower: Double) -> TimeTest {
        var test = TimeTest(.standard(.runTime))
        for number in 0..<count {
            // Spread evenly over a factor of e.
            let spread = Double(number) / Double(count)
            test.add(.version, logMicroseconds: 9 + spread + slower)
            test.add(.below, logMicroseconds: 9 + spread)
        }
        return test
    }

    @Test func aSlowVersionIsStopped() { #expect(test(1000, slower: 0.4).verdict == .violated) }

    @Test func equalTimesRuleOutTheHarm() { #expect(test(1000, slower: 0).verdict == .satisfied) }

    @Test func fewDevicesDecideNothing() {
        #expect(test(TimeTest.burnIn - 1, slower: 2).verdict == .undecided)
        #expect(test(TimeTest.burnIn, slower: 2).verdict == .violated)
    }
}

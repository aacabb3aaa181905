import HearthCatalog
import Testing

@testable import HearthRollouts

struct RateTestTests {
    private static let limit = GuardLimit(errorRate: 0.0015, tolerated: 0.001, harmful: 0.02)

    private func add(_ test: inout RateTest, _ arm: Arm, _ failed: Bool, ratio: Double = 1) {
        test.add(
            RateTest.Trial(
                arm: arm, stage: 0, window: .first, isOfVersion: arm == .version, isNew: true),
            failedAmong: failed ? [ratio, ratio, ratio] : nil)
    }

    private func counted(_ count: Int, pending: Int = 0) -> RateTest.Counted {
        RateTest.Counted(all: count, prompt: count, pending: pending)
    }

    /// A test after its last period, in which that many devices of each arm were seen in turn, and the first ones failed.
    private func test(version: (seen: Int, failed: Int), baseline: (seen: Int, failed: Int)) -> RateTest {
        var test = RateTest(Self.limit)
        var seen = [0, 0]
        let all = version.seen + baseline.seen
        for number in 0..<all {
            let arm: Arm = number * version.seen / all < (number + 1) * version.seen / all ? .version : .baseline
            let failed = arm == .version ? version.failed : baseline.failed
            add(&test, arm, seen[arm.rawValue] < failed, ratio: Double(version.seen) / Double(max(1, baseline.seen)))
            seen[arm.rawValue] += 1
        }
        test.closePeriod()
        return test
    }

    @Test func aVersionThatFailsOnManyDevicesIsStopped() {
        #expect(test(version: (500, 10), baseline: (16_000, 16)).verdict(counted(500)) == .violated)
    }

    @Test func failuresThatBothVersionsShareStopNothing() {
        let shared = test(version: (500, 10), baseline: (16_000, 320))
        #expect(shared.verdict(counted(500)) == .undecided)
        #expect(shared.logEvidenceOfDifference < 0)
    }

    @Test func aDifferenceWithinTheToleratedShareStopsNothing() {
        let small = test(version: (20_000, 20), baseline: (200_000, 2))
        #expect(small.logEvidenceOfDifference > 20)
        #expect(small.verdict(counted(20_000)) == .satisfied)
    }

    @Test func enoughSoundDevicesRuleOutTheHarm() {
        #expect(test(version: (500, 0), baseline: (16_000, 16)).verdict(counted(500)) == .satisfied)
        #expect(test(version: (200, 0), baseline: (16_000, 16)).verdict(counted(200)) == .undecided)
    }

    @Test func devicesThatMayYetFailDoNotCountAsSound() {
        let test = test(version: (500, 0), baseline: (16_000, 16))
        #expect(test.verdict(counted(500, pending: 10)) == .undecided)
    }

    @Test func fewDevicesThatMayYetFailDoNotMatter() {
        let test = test(version: (1000, 4), baseline: (16_000, 16))
        #expect(!test.wouldExceed(pending: 0))
        #expect(!test.wouldExceed(pending: 2))
        #expect(test.wouldExceed(pending: 30))
    }

    @Test func withoutDevicesToCompareWithNothingIsStopped() {
        #expect(test(version: (500, 50), baseline: (0, 0)).verdict(counted(500)) == .undecided)
    }

    @Test func aPeriodCountsOnlyWhenItIsOver() {
        var test = RateTest(Self.limit)
        for number in 0..<20 { add(&test, .version, number < 10) }
        for _ in 0..<1000 { add(&test, .baseline, false) }
        #expect(test.verdict(counted(20)) == .undecided)
        test.closePeriod()
        #expect(test.verdict(counted(20)) == .violated)
    }

    @Test func manyTrialsEndAPeriod() {
        var test = RateTest(Self.limit)
        for number in 0..<20 { add(&test, .version, number < 10) }
        for _ in 0..<1003 { add(&test, .baseline, false) }
        #expect(test.verdict(counted(20)) == .undecided)
        add(&test, .baseline, false)
        #expect(test.verdict(counted(20)) == .violated)
    }
}

struct HarmTestTests {
    /// A version that fails on as many devices as it may not: how often the test rules that out, by chance.
    @Test(
        "Harm of the stated size is seldom ruled out, however often devices fail by chance",
        arguments: [0.0, 0.02, 0.2])
    func harmful(chance: Double) {
        var random = SystemRandomNumberGenerator()
        let rollouts = 200
        let wrong = (0..<rollouts).count { _ in
            var test = HarmTest()
            var largest = -Double.infinity
            // As many devices with the baseline as with the version.
            for count in 1...2000 {
                if Double.random(in: 0..<1, using: &random) < 0.005 + chance { test.failVersion() }
                if Double.random(in: 0..<1, using: &random) < chance { test.failBaseline(ratio: 1) }
                if count % 40 == 0 { largest = max(largest, test.logEvidence(against: 0.005, of: count)) }
            }
            return largest >= 3
        }
        // The chance is at most exp(-3), one in twenty; so many wrong ones come once in a million times.
        #expect(wrong <= 30, "\(wrong) of \(rollouts)")
    }

    @Test("Without failures, so many devices rule the harm out as the error rate needs")
    func sound() {
        let test = HarmTest()
        let needed = (1...5000).first { test.logEvidence(against: 0.005, of: $0) >= 5.3 }
        #expect((1060...1400).contains(needed ?? 0), "\(needed ?? 0)")
    }
}

struct TimeTestTests {
    /// - Parameter hours: how many hours the values are spread over.
    func test(_ count: Int, slower: Double, hours: Int = 1, drift: Double = 0) -> TimeTest {
        var test = TimeTest(.standard(.runTime))
        var devices: [UInt64: WatchedDevice] = [:]
        for hour in 0..<hours {
            for number in hour * count / hours..<(hour + 1) * count / hours {
                // Spread evenly over a factor of e.
                let value = 9 + Double(number * 7 % count) / Double(count) + drift * Double(hour)
                test.add(
                    UInt64(2 * number), .version, enteredAt: 0, isOfVersion: true, logMicroseconds: value + slower)
                test.add(UInt64(2 * number + 1), .baseline, enteredAt: 0, isOfVersion: false, logMicroseconds: value)
            }
            test.closeHour(&devices)
        }
        return test
    }

    @Test func aSlowVersionIsStopped() { #expect(test(1000, slower: 0.4).verdict == .violated) }

    @Test func equalTimesRuleOutTheHarm() { #expect(test(1000, slower: 0).verdict == .satisfied) }

    @Test func whatChangesTheTimesOfAllDevicesMattersNot() {
        #expect(test(1000, slower: 0, hours: 10, drift: 0.5).verdict == .satisfied)
        #expect(test(1000, slower: 0.4, hours: 10, drift: -0.5).verdict == .violated)
    }

    @Test func fewDevicesDecideNothing() {
        #expect(test(TimeTest.burnIn - 1, slower: 2).verdict == .undecided)
        #expect(test(TimeTest.burnIn, slower: 2).verdict == .violated)
    }

    @Test func timesThatCannotBeMakeNoRatioThatCannotBeShown() {
        var test = TimeTest(.standard(.runTime))
        var devices: [UInt64: WatchedDevice] = [:]
        for number in 0..<UInt64(4) {
            let isVersion = number < 2
            test.add(
                number, isVersion ? .version : .baseline, enteredAt: 0, isOfVersion: number == 0,
                logMicroseconds: isVersion ? 22 : 0)
        }
        test.closeHour(&devices)
        #expect(abs((test.ratio ?? 0) - 1000) < 0.001)
    }

    @Test func aDeviceThatGivesManyValuesIsStillOneDevice() {
        var once = TimeTest(.standard(.runTime))
        var often = TimeTest(.standard(.runTime))
        for (index, repeats) in [1, 20].enumerated() {
            var devices: [UInt64: WatchedDevice] = [:]
            for device in 0..<UInt64(400) { devices[device] = WatchedDevice(place: 0, atSeconds: 0) }
            for _ in 0..<repeats {
                for device in 0..<UInt64(400) {
                    let value = 9 + Double(device / 2 * 7 % 200) / 200
                    let isVersion = device % 2 == 0
                    if index == 0 {
                        once.add(
                            device, isVersion ? .version : .baseline, enteredAt: 0, isOfVersion: isVersion,
                            logMicroseconds: value)
                    } else {
                        often.add(
                            device, isVersion ? .version : .baseline, enteredAt: 0, isOfVersion: isVersion,
                            logMicroseconds: value)
                    }
                }
                if index == 0 { once.closeHour(&devices) } else { often.closeHour(&devices) }
            }
        }
        let widths = [once, often].map { test in
            test.ratioInterval.map { $0.upperBound / $0.lowerBound } ?? 0
        }
        #expect(widths[0] > 1 && widths[1] > 0.6 * widths[0] + 0.4, "\(widths)")
    }
}

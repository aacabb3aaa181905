import HearthCatalog
import HearthRollouts
import Testing

struct RolloutWatchTests {
    private static let start: Int64 = 1_800_000_000
    private static let hour: Int64 = 3600

    private func finding(_ guarded: Guard, _ watch: RolloutWatch, at seconds: Int64 = start + 100 * hour)
        -> GuardFinding
    {
        watch.findings(of: [guarded], holdSeconds: Self.hour, atSeconds: seconds)[0]
    }

    @Test func aDeviceThatReturnsTwiceWithoutTheVersionHasFailed() {
        var watch = RolloutWatch()
        watch.called(1, .version, namesOwn: false, atSeconds: Self.start)
        watch.called(1, .version, namesOwn: false, atSeconds: Self.start + Self.hour)
        #expect(finding(.returnedWithout, watch).failed == [0, 0])
        watch.called(1, .version, namesOwn: false, atSeconds: Self.start + 2 * Self.hour)
        #expect(finding(.returnedWithout, watch).failed == [1, 0])
    }

    @Test func aBrokenDownloadIsNoFailure() {
        var watch = RolloutWatch()
        for hour in 0..<2 {
            watch.called(1, .version, namesOwn: false, atSeconds: Self.start + Int64(hour) * Self.hour)
        }
        watch.called(1, .version, namesOwn: true, atSeconds: Self.start + 2 * Self.hour)
        #expect(finding(.returnedWithout, watch).failed == [0, 0])
        #expect(finding(.returnedWithout, watch).devices == [1, 0])
    }

    @Test func callsAtOnceAreOneCall() {
        var watch = RolloutWatch()
        for second in 0..<10 { watch.called(1, .version, namesOwn: false, atSeconds: Self.start + Int64(second)) }
        watch.called(1, .version, namesOwn: false, atSeconds: Self.start + Self.hour)
        #expect(finding(.returnedWithout, watch).failed == [0, 0])
    }

    @Test func aDeviceThatHadTheVersionAndComesBackWithoutItHasFailed() {
        var watch = RolloutWatch()
        watch.called(1, .version, namesOwn: false, atSeconds: Self.start)
        watch.called(1, .version, namesOwn: true, atSeconds: Self.start + Self.hour)
        for hour in 2..<4 {
            watch.called(1, .version, namesOwn: false, atSeconds: Self.start + Int64(hour) * Self.hour)
        }
        #expect(finding(.returnedWithout, watch).failed == [1, 0])
    }

    @Test func aDeviceCountsAsSoundAfterTheHold() {
        var watch = RolloutWatch()
        watch.reported(1, .version, .init(), atSeconds: Self.start)
        #expect(finding(.crashes, watch, at: Self.start + Self.hour - 1).counted == 0)
        #expect(finding(.crashes, watch, at: Self.start + Self.hour).counted == 1)
    }

    @Test func aDeviceFailsOncePerGuard() {
        var watch = RolloutWatch()
        for hour in 0..<3 {
            watch.reported(1, .version, .init(crashed: true), atSeconds: Self.start + Int64(hour) * Self.hour)
        }
        #expect(finding(.crashes, watch).failed == [1, 0])
        #expect(finding(.loadFailures, watch).failed == [0, 0])
    }

    @Test func aDeviceThatFailedWithTheVersionBelowIsNotCountedAgain() {
        var watch = RolloutWatch()
        watch.reported(1, .below, .init(runFailed: true), atSeconds: Self.start)
        watch.reported(1, .version, .init(runFailed: true), atSeconds: Self.start + Self.hour)
        #expect(finding(.failedRuns, watch).failed == [0, 1])
        #expect(finding(.failedRuns, watch).devices == [0, 1])
    }

    @Test func devicesBeyondTheLimitAreASample() {
        var watch = RolloutWatch()
        let limit = RolloutWatch.deviceLimit[1]
        // Spread over all hashes, as hashes are.
        for number in 0..<UInt64(4 * limit) {
            watch.called(number &* 0x9E37_79B9_7F4A_7C15, .below, namesOwn: true, atSeconds: Self.start)
        }
        let seen = finding(.returnedWithout, watch)
        #expect(seen.devices[1] >= limit)
        #expect(watch.watched(.below) <= limit)
        #expect(watch.watched(.below) > limit / 4)
    }

    @Test func theFirstCallOfADeviceOutsideOfTheSampleIsItsOffer() {
        var watch = RolloutWatch()
        for number in 0..<UInt64(2 * RolloutWatch.deviceLimit[1]) {
            watch.called(number &* 0x9E37_79B9_7F4A_7C15, .below, namesOwn: true, atSeconds: Self.start)
        }
        watch.called(.max, .below, namesOwn: true, atSeconds: Self.start)
        for hour in 1...3 {
            watch.called(.max, .version, namesOwn: false, atSeconds: Self.start + Int64(hour) * Self.hour)
        }
        #expect(finding(.returnedWithout, watch).failed == [1, 0])
    }

    @Test func aFailureOutsideOfTheSampleIsRemembered() {
        var watch = RolloutWatch()
        for number in 0..<UInt64(2 * RolloutWatch.deviceLimit[1]) {
            watch.reported(number &* 0x9E37_79B9_7F4A_7C15, .below, .init(), atSeconds: Self.start)
        }
        // The highest hash is the first that leaves the sample.
        watch.reported(.max, .below, .init(crashed: true), atSeconds: Self.start)
        watch.reported(.max, .version, .init(crashed: true), atSeconds: Self.start + Self.hour)
        #expect(finding(.crashes, watch).failed == [0, 0])
    }

    @Test func aStoredWatchContinuesWhereItWas() throws {
        var watch = RolloutWatch()
        for number in 0..<UInt64(2 * RolloutWatch.deviceLimit[1]) {
            let id = number &* 0x9E37_79B9_7F4A_7C15
            watch.called(id, number % 5 == 0 ? .version : .below, namesOwn: number % 3 != 0, atSeconds: Self.start)
            watch.reported(
                id, number % 5 == 0 ? .version : .below, .init(runFailed: number % 100 == 0, logRunTime: 9),
                atSeconds: Self.start + 700)
        }
        var again = try #require(RolloutWatch(watch.stored, atSeconds: .max))
        #expect(again.stored == watch.stored)
        for number in 0..<UInt64(1000) {
            let id = number &* 0x9E37_79B9_7F4A_7C15
            watch.called(id, .version, namesOwn: false, atSeconds: Self.start + Self.hour)
            again.called(id, .version, namesOwn: false, atSeconds: Self.start + Self.hour)
        }
        for guarded in Guard.allCases { #expect(finding(guarded, again) == finding(guarded, watch)) }
    }

    @Test func aClockThatIsSetBackStopsNoGuard() {
        var watch = RolloutWatch()
        for back in 0..<3 {
            let now = Self.start - Int64(back) * 1000 * Self.hour
            for id in 1...UInt64(400) {
                watch.called(id, id % 4 == 0 ? .version : .below, namesOwn: id % 4 != 0, atSeconds: now)
            }
        }
        watch.tick(atSeconds: Self.start - 3000 * Self.hour)
        #expect(finding(.returnedWithout, watch).failed == [100, 0])
        #expect(finding(.returnedWithout, watch).verdict == .violated)
    }

    @Test func aDeviceThatReportsAllTheTimeCountsAsOne() {
        var watch = RolloutWatch()
        for id in 1...UInt64(4) {
            watch.reported(id, .version, .init(crashed: true), atSeconds: Self.start)
            watch.reported(10 + id, .below, .init(), atSeconds: Self.start)
        }
        for _ in 0..<5000 { watch.reported(11, .below, .init(), atSeconds: Self.start + 1) }
        watch.tick(atSeconds: Self.start + Self.hour)
        #expect(finding(.crashes, watch).verdict == .undecided)
        #expect(finding(.crashes, watch).devices == [4, 4])
    }

    @Test func aReportCountsForWhatItSays() {
        var watch = RolloutWatch()
        watch.reported(1, .version, .init(hasLoaded: false, hasRun: false), atSeconds: Self.start)
        watch.reported(2, .version, .init(hasRun: false), atSeconds: Self.start)
        // Of the same device, a minute later.
        watch.reported(2, .version, .init(hasLoaded: false), atSeconds: Self.start + 60)
        watch.reported(3, .version, .init(hasRun: false), atSeconds: Self.start)
        #expect(finding(.loadFailures, watch).devices == [2, 0])
        #expect(finding(.crashes, watch).devices == [2, 0])
        #expect(finding(.failedRuns, watch).devices == [1, 0])
    }

    @Test func aDeviceThatIsForgottenAndComesBackFailsOnlyOnce() {
        var watch = RolloutWatch()
        for _ in 0..<8 {
            watch.called(1, .version, namesOwn: false, atSeconds: Self.start)
            watch.reported(1, .version, .init(crashed: true), atSeconds: Self.start)
            watch.forget(1)
        }
        #expect(finding(.crashes, watch).failed == [1, 0])
    }

    @Test func aForgottenDeviceIsGone() {
        var watch = RolloutWatch()
        watch.called(1, .version, namesOwn: false, atSeconds: Self.start)
        watch.called(1, .version, namesOwn: false, atSeconds: Self.start + Self.hour)
        #expect(watch.has(1, in: .version) && !watch.has(1, in: .below))
        watch.forget(1)
        #expect(!watch.has(1, in: .version))
        #expect(watch.watched(.version) == 0)
        var never = RolloutWatch()
        never.tick(atSeconds: Self.start)
        #expect(watch.stored.devices == never.stored.devices)
    }

    @Test func damagedBytesAreNoWatch() {
        var watch = RolloutWatch()
        watch.called(1, .version, namesOwn: false, atSeconds: Self.start)
        var stored = watch.stored
        stored.devices.removeLast()
        #expect(RolloutWatch(stored, atSeconds: .max) == nil)
        stored = watch.stored
        stored.outside = [1]
        #expect(RolloutWatch(stored, atSeconds: .max) == nil)
    }

    @Test func noRestoredDeviceHasHadItsVersionSinceTheFuture() throws {
        var watch = RolloutWatch()
        watch.called(1, .version, namesOwn: true, atSeconds: Self.start + 100_000)
        let again = try #require(RolloutWatch(watch.stored, atSeconds: Self.start))
        let later = again.findings(of: [.returnedWithout], holdSeconds: 60, atSeconds: Self.start + 60)
        #expect(later.map(\.counted) == [1])
    }

    @Test func theReportingShareIsThatOfTheVersionBelow() {
        var watch = RolloutWatch()
        for id in 1...UInt64(10) { watch.called(id, .below, namesOwn: true, atSeconds: Self.start) }
        for id in 1...UInt64(3) { watch.reported(id, .below, .init(), atSeconds: Self.start) }
        #expect(watch.reportingShare == 0.3)
    }
}

struct RolloutPlanTests {
    private let plan = RolloutPlan(shares: [10_000, 50_000, 1_000_000], holdSeconds: 7200)

    private func finding(_ verdict: GuardVerdict, counted: Int = 1000, expected: Double = 1000) -> GuardFinding {
        GuardFinding(guarded: .crashes, verdict: verdict, counted: counted, expected: expected, devices: [counted, 0])
    }

    @Test(arguments: [(Int64(7199), RolloutPlan.Step.wait), (Int64(7200), .widen(to: 50_000))])
    func satisfiedGuardsWidenAfterTheHold(seconds: Int64, step: RolloutPlan.Step) {
        #expect(plan.step(share: 10_000, findings: [finding(.satisfied)], secondsAtShare: seconds) == step)
    }

    @Test func aViolatedGuardStopsAtAnyTime() {
        let findings = [finding(.satisfied), finding(.violated)]
        #expect(plan.step(share: 10_000, findings: findings, secondsAtShare: 0) == .stop(.crashes))
        #expect(plan.step(share: 1_000_000, findings: findings, secondsAtShare: 0) == .stop(.crashes))
    }

    @Test func anUndecidedGuardWidensALittleWhenTheShareHasShownAll() {
        let undecided = [finding(.undecided)]
        #expect(plan.step(share: 10_000, findings: undecided, secondsAtShare: 86_399) == .wait)
        #expect(plan.step(share: 10_000, findings: undecided, secondsAtShare: 86_400) == .widen(to: 14_000))
        #expect(plan.step(share: 40_000, findings: undecided, secondsAtShare: 86_400) == .widen(to: 50_000))
        let half = [finding(.undecided, counted: 500)]
        #expect(plan.step(share: 10_000, findings: half, secondsAtShare: 86_400) == .wait)
    }

    @Test func aShareWaitsForDevicesThatMayYetHaveFailedButNotForever() {
        var pending = finding(.undecided)
        pending.isPending = true
        #expect(plan.step(share: 10_000, findings: [pending], secondsAtShare: 3 * 86_400 - 1) == .wait)
        #expect(plan.step(share: 10_000, findings: [pending], secondsAtShare: 3 * 86_400) == .widen(to: 14_000))
    }

    @Test func theLastShareStays() {
        #expect(plan.step(share: 1_000_000, findings: [finding(.satisfied)], secondsAtShare: 86_400) == .wait)
    }
}

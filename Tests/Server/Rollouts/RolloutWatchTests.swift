import Foundation
import HearthCatalog
import Testing

@testable import HearthRollouts

/// A watch of a release at 50 %, with devices whose place in the draw says their arm.
private struct Watched {
    static let start: Int64 = 1_800_000_000
    static let hour: Int64 = 3600
    static let day: Int64 = 24 * hour

    var watch = RolloutWatch(sinceSeconds: start, share: 500_000)

    /// Devices with even numbers are in the version's arm.
    static func place(_ device: UInt64) -> Int { device % 2 == 0 ? 100_000 : 900_000 }

    mutating func call(
        _ device: UInt64, _ named: RolloutObservation.Named = .baseline, at hours: Double = 0, tag: UInt16 = 1,
        waits: Bool = false, obstacle: RolloutObservation.Obstacle? = nil, place: Int? = nil
    ) {
        watch.observe(
            RolloutObservation(
                device: device, atSeconds: Self.start + Int64(hours * 3600),
                .called(
                    .init(
                        place: place ?? Self.place(device), named: named, tag: tag, isWaiting: waits,
                        obstacle: obstacle))))
    }

    mutating func report(
        _ device: UInt64, _ report: RolloutWatch.Report = .init(), ofVersion: Bool = true, at hours: Double
    ) {
        watch.observe(
            RolloutObservation(
                device: device, atSeconds: Self.start + Int64(hours * 3600),
                .reported(isOfVersion: ofVersion, report)))
    }

    mutating func leave(_ device: UInt64, at hours: Double) {
        watch.observe(RolloutObservation(device: device, atSeconds: Self.start + Int64(hours * 3600), .left))
    }

    mutating func share(_ share: Int, at hours: Double) {
        watch.setShare(share, holdSeconds: Self.hour, atSeconds: Self.start + Int64(hours * 3600))
    }

    func finding(_ guarded: Guard, at hours: Double = 100) -> GuardFinding {
        watch.findings(of: [guarded], holdSeconds: Self.hour, atSeconds: Self.start + Int64(hours * 3600))[0]
    }

    func survey(at hours: Double = 100) -> RolloutWatch.Survey {
        watch.survey(holdSeconds: 60, atSeconds: Self.start + Int64(hours * 3600))
    }

    var arms: [Int] { survey().devices }
}

@Suite("Guarded rollouts: who takes part")
struct RolloutEntryTests {
    @Test("A device takes part if it first names the baseline, in both arms")
    func namesBelow() {
        var watched = Watched()
        for device in 0..<UInt64(10) { watched.call(device) }
        #expect(watched.arms == [5, 5])
    }

    @Test(
        "A device that first names nothing, the version or another one never takes part",
        arguments: [
            RolloutObservation.Named.nothing, .version, .other,
        ])
    func namesAnother(named: RolloutObservation.Named) {
        var watched = Watched()
        for device in 0..<UInt64(10) {
            watched.call(device, named)
            watched.call(device, at: 1)
            watched.report(device, .init(loadFailed: true), at: 2)
        }
        #expect(watched.arms == [0, 0])
        #expect(watched.watch.counts.namedOther == 10)
        #expect(watched.finding(.loadFailures).failed == [0, 0])
    }

    @Test("A device that waits for conditions takes part from its first call without them on")
    func waits() {
        var watched = Watched()
        for device in 0..<UInt64(4) {
            watched.call(device, waits: true)
            watched.report(device, .init(crashed: true), ofVersion: false, at: 1)
        }
        #expect(watched.arms == [0, 0])
        // The first call decided, whatever later ones name.
        watched.call(0, .version, at: 2)
        watched.call(1, at: 2)
        #expect(watched.arms == [1, 1])
        #expect(watched.finding(.crashes).failed == [0, 0])
    }

    @Test("Places that were offered the version before the watch began take no part")
    func offeredBefore() {
        var watched = Watched()
        watched.watch = RolloutWatch(sinceSeconds: Watched.start, share: 500_000, offered: 500_000)
        watched.call(0, place: 100_000)
        watched.call(1, place: 600_000)
        #expect(watched.arms == [0, 1])
        #expect(watched.watch.places.compared == 0.5)
        watched.share(700_000, at: 1)
        #expect(watched.arms == [1, 0])
    }

    @Test("A lowered share takes out the places between both shares, in both arms, for good")
    func lowered() {
        var watched = Watched()
        let places = [100_000, 300_000, 700_000]
        for (device, place) in places.enumerated() { watched.call(UInt64(device), place: place) }
        watched.share(200_000, at: 1)
        #expect(watched.arms == [1, 1])
        watched.share(800_000, at: 2)
        watched.call(9, at: 3, place: 400_000)
        #expect(watched.arms == [2, 0])
    }

    @Test("Who leaves does not come back")
    func leaves() {
        var watched = Watched()
        watched.call(0)
        watched.leave(0, at: 1)
        watched.leave(2, at: 1)
        for device in [0, 2] as [UInt64] { watched.call(device, at: 2) }
        #expect(watched.arms == [0, 0])
        #expect(watched.watch.counts.left == 1)
    }

    @Test("An earlier call that arrives late takes the device out")
    func lateCall() {
        var watched = Watched()
        for device in 0..<UInt64(2) {
            watched.call(device, at: 1)
            watched.call(device, at: 0.5)
        }
        #expect(watched.arms == [0, 0])
    }

    @Test("Devices beyond the limits are a sample by hash, and nobody else is watched later")
    func sample() {
        var watched = Watched()
        func hash(_ number: UInt64) -> UInt64 { number &* 0x9E37_79B9_7F4A_7C15 >> 1 }
        let count = UInt64(4 * RolloutWatch.deviceLimit)
        for number in 0..<count { watched.call(hash(number), place: 900_000) }
        let baseline = watched.arms[1]
        #expect(baseline <= RolloutWatch.deviceLimit && baseline > RolloutWatch.deviceLimit / 4)
        watched.share(950_000, at: 1)
        for number in 0..<count { watched.call(hash(number), at: 2, place: 900_000) }
        #expect(watched.arms == [baseline, 0])
    }
}

@Suite("Guarded rollouts: what counts")
struct RolloutCountTests {
    @Test("Reports count in the arm of the draw, whichever version they are about")
    func arm() {
        var watched = Watched()
        watched.call(0)
        watched.call(1)
        watched.report(0, .init(crashed: true), ofVersion: false, at: 1)
        watched.report(1, .init(crashed: true), ofVersion: false, at: 1)
        #expect(watched.watch.rates[2].failedInArm == 1)
        #expect(watched.finding(.crashes).failed == [0, 1], "with the version nobody failed")
        #expect(watched.finding(.crashes).devices == [0, 1])
    }

    @Test("A device fails once in a guard, also after the share reached it")
    func once() {
        var watched = Watched()
        watched.call(0)
        watched.call(1)
        for hour in 1...3 {
            watched.report(0, .init(runFailed: true), at: Double(hour))
            watched.report(1, .init(runFailed: true), ofVersion: false, at: Double(hour))
        }
        watched.share(950_000, at: 4)
        watched.report(1, .init(runFailed: true), at: 5)
        #expect(watched.finding(.failedRuns).failed == [1, 1])
        #expect(watched.watch.rates[3].failedInArm == 1)
        #expect(watched.finding(.crashes).failed == [0, 0])
    }

    @Test("A device moves with the share, not with its next call")
    func moves() {
        var watched = Watched()
        watched.call(1)
        watched.share(950_000, at: 1)
        watched.report(1, .init(crashed: true), ofVersion: false, at: 2)
        #expect(watched.watch.rates[2].failedInArm == 1)
        #expect(watched.finding(.crashes).failed == [0, 0])
    }

    @Test("A device that had the version and comes back twice with another one has failed")
    func returned() {
        var watched = Watched()
        watched.call(0)
        watched.call(0, .version, at: 1)
        watched.call(0, .baseline, at: 2)
        #expect(watched.finding(.returnedWithout).failed == [0, 0])
        #expect(watched.finding(.returnedWithout).pending == 1)
        watched.call(0, .baseline, at: 2.1)
        #expect(watched.finding(.returnedWithout).failed == [0, 0], "calls at once are one call")
        watched.call(0, .baseline, at: 3)
        #expect(watched.finding(.returnedWithout).failed == [1, 0])
    }

    @Test("To name nothing, or the former version after a new one came, is no return")
    func neutral() {
        var watched = Watched()
        watched.call(0, tag: 7)
        watched.call(0, .version, at: 1, tag: 8)
        watched.call(1, tag: 7)
        for hour in 2...5 {
            watched.call(0, .nothing, at: Double(hour), tag: 0)
            watched.call(1, .other, at: Double(hour), tag: 7)
        }
        #expect(watched.finding(.returnedWithout).failed == [0, 0])
        for hour in 6...7 { watched.call(1, .other, at: Double(hour), tag: 9) }
        #expect(watched.finding(.returnedWithout).failed == [0, 1])
    }

    @Test("A device that never takes the version is shown and has not failed")
    func neverTaken() {
        var watched = Watched()
        for hour in 0...4 { watched.call(0, at: Double(hour), obstacle: .storage) }
        #expect(watched.finding(.returnedWithout).failed == [0, 0])
        #expect(watched.survey().neverTaken == 1)
        #expect(watched.survey().lackingStorage == 1)
        #expect(watched.survey().taken == 0)
    }

    @Test("A device that says that it rejected the version has failed, although it never had it")
    func rejected() {
        var watched = Watched()
        watched.call(0)
        watched.call(0, at: 1, obstacle: .rejected)
        #expect(watched.finding(.returnedWithout).failed == [1, 0])
        #expect(watched.survey().rejected == 1)
    }

    @Test("A version that a device rejected in another rollout says nothing")
    func rejectedBefore() {
        var watched = Watched()
        watched.call(0, obstacle: .rejected)
        watched.call(1, obstacle: .rejected)
        #expect(watched.arms == [0, 0])
        #expect(watched.finding(.returnedWithout).failed == [0, 0])
    }

    @Test("A device for which the release is not any more leaves, and one that never took part stays unknown")
    func outside() {
        var watched = Watched()
        for device in [0, 1] as [UInt64] { watched.call(device) }
        for device in 0..<UInt64(4) {
            watched.watch.observe(RolloutObservation(device: device, atSeconds: Watched.start + 60, .outside))
        }
        #expect(watched.arms == [0, 0])
        for device in 0..<UInt64(4) { watched.call(device, at: 1) }
        #expect(watched.arms == [1, 1])
    }

    @Test("A device that took the version just before the share grew does not show that nothing shows soon")
    func cutWindow() {
        var watched = Watched()
        for device in stride(from: UInt64(0), to: 4000, by: 2) { watched.call(device) }
        for device in stride(from: UInt64(0), to: 4000, by: 2) { watched.report(device, at: 0.2) }
        let before = watched.survey(at: 2).counted[2]
        watched.share(600_000, at: 2)
        let after = watched.survey(at: 2).counted[2]
        #expect(before.all == 2000 && before.prompt == 2000)
        #expect(after.all == 2000 && after.prompt == 0)
    }

    @Test("A device counts as sound when it has had the version for long enough")
    func hold() {
        var watched = Watched()
        watched.call(0)
        watched.report(0, at: 1)
        #expect(watched.finding(.crashes, at: 1.99).counted == 0)
        #expect(watched.finding(.crashes, at: 2).counted == 1)
    }

    @Test("A device that reports all the time is one trial in ten minutes")
    func reportsAllTheTime() {
        var watched = Watched()
        for device in 0..<UInt64(8) { watched.call(device) }
        for device in stride(from: UInt64(0), to: 8, by: 2) { watched.report(device, .init(crashed: true), at: 1) }
        for _ in 0..<5000 { watched.report(1, ofVersion: false, at: 1) }
        watched.watch.tick(atSeconds: Watched.start + 2 * Watched.hour)
        #expect(watched.finding(.crashes).verdict == .undecided)
        #expect(watched.finding(.crashes).devices == [4, 1])
    }

    @Test("A report counts for what it says")
    func says() {
        var watched = Watched()
        for device in [0, 2, 4] as [UInt64] { watched.call(device) }
        watched.report(0, .init(hasLoaded: false, hasRun: false), at: 1)
        watched.report(2, .init(hasRun: false), at: 1)
        watched.report(2, .init(hasLoaded: false), at: 1.01)
        watched.report(4, .init(hasRun: false), at: 1)
        #expect(watched.finding(.loadFailures).devices == [2, 0])
        #expect(watched.finding(.crashes).devices == [2, 0])
        #expect(watched.finding(.failedRuns).devices == [1, 0])
    }

    @Test("Times of one hour are compared, one value of a device, and not that of its first report")
    func times() {
        var watched = Watched()
        let devices = 0..<UInt64(1000)
        for device in devices { watched.call(device) }
        // Cold starts take long.
        for device in devices { watched.report(device, .init(logRunTime: 30), ofVersion: device % 2 == 0, at: 0.5) }
        // Runs take longer from the fifth hour on, with both versions. A device gives one value.
        for hour in [1.2, 2.2, 5.2, 6.2] {
            for device in devices where hour > 5 || device / 2 % 2 == 0 {
                let time = 9 + Double(device % 100) / 100 + (hour > 5 ? 2 : 0)
                watched.report(device, .init(logRunTime: time), ofVersion: device % 2 == 0, at: hour)
            }
        }
        watched.watch.tick(atSeconds: Watched.start + 10 * Watched.hour)
        let finding = watched.finding(.runTime)
        #expect(finding.devices == [500, 500])
        #expect(abs((finding.ratio ?? 0) - 1) < 0.03)
        #expect(finding.verdict == .satisfied)
    }
}

@Suite("Guarded rollouts: what is stored")
struct RolloutStorageTests {
    private func filled() -> Watched {
        var watched = Watched()
        let devices = 0..<UInt64(2000)
        for device in devices { watched.call(device, tag: UInt16(device)) }
        for device in devices where device % 2 == 0 && device % 3 != 0 {
            watched.call(device, .version, at: 0.5, tag: 9)
        }
        for device in devices {
            watched.report(
                device, .init(runFailed: device % 100 == 0, logRunTime: 9), ofVersion: device % 2 == 0, at: 0.7)
        }
        for device in devices {
            watched.report(device, .init(logRunTime: 9 + Double(device % 7)), ofVersion: device % 2 == 0, at: 1.2)
        }
        watched.call(5000, .nothing)
        watched.share(600_000, at: 2)
        return watched
    }

    @Test("A stored watch continues where it was")
    func continues() throws {
        var watched = filled()
        var again = watched
        again.watch = try #require(RolloutWatch(watched.watch.stored, atSeconds: .max))
        #expect(again.watch.stored == watched.watch.stored)
        for device in 0..<UInt64(1000) {
            watched.call(device, .other, at: 3, tag: 77)
            again.call(device, .other, at: 3, tag: 77)
            watched.report(device, .init(crashed: device % 5 == 0), at: 3)
            again.report(device, .init(crashed: device % 5 == 0), at: 3)
        }
        for guarded in Guard.allCases { #expect(again.finding(guarded) == watched.finding(guarded)) }
        #expect(again.survey() == watched.survey())
    }

    @Test("Damaged bytes are no watch")
    func damaged() {
        let stored = filled().watch.stored
        var short = stored
        short.devices.removeLast()
        #expect(RolloutWatch(short, atSeconds: .max) == nil)
        var outside = stored
        outside.outside = [1]
        #expect(RolloutWatch(outside, atSeconds: .max) == nil)
    }

    @Test("Nothing restored has happened in the future")
    func future() throws {
        var watched = Watched()
        watched.call(0, at: 100)
        watched.call(0, .version, at: 101)
        watched.watch = try #require(RolloutWatch(watched.watch.stored, atSeconds: Watched.start))
        watched.call(0, .version, at: 1)
        #expect(watched.arms == [1, 0])
        #expect(watched.finding(.returnedWithout, at: 1.5).counted == 1)
    }

    @Test("Observations come back as they were stored")
    func observations() {
        let calls: [RolloutObservation.Event] = [
            .called(.init(place: 999_999, named: .other, tag: 65_535, isWaiting: true, obstacle: .storage)),
            .called(.init(place: 0, named: .baseline, obstacle: .rejected)),
            .reported(isOfVersion: true, .init(loadFailed: true, hasRun: false)),
            .reported(isOfVersion: false, .init(crashed: true, hasLoaded: false, logRunTime: 9.5)), .left,
        ]
        let all = calls.enumerated().map {
            RolloutObservation(device: UInt64.max - UInt64($0), atSeconds: 1_800_000_000 + Int64($0), $1)
        }
        for count in 0...all.count {
            let bytes = RolloutObservation.bytes(Array(all.prefix(count)))
            #expect(RolloutObservation.piece(bytes) == .observations(Array(all.prefix(count))))
        }
    }

    @Test("Pieces of the form before are known as such, and damaged ones")
    func pieces() {
        for count in 1...9 { #expect(RolloutObservation.piece([UInt8](repeating: 0, count: 18 * count)) == .former) }
        #expect(RolloutObservation.piece([]) == .damaged)
        #expect(RolloutObservation.piece([1] + [UInt8](repeating: 0, count: 20)) == .damaged)
        #expect(RolloutObservation.piece([2] + [UInt8](repeating: 255, count: 20)) == .damaged)
    }

    @Test("Pieces of several servers are taken in the order of time, when all of them are over")
    func settling() {
        func seen(_ device: UInt64, _ seconds: Int64) -> RolloutObservation {
            RolloutObservation(device: device, atSeconds: seconds, .left)
        }
        var settling = SettlingObservations()
        settling.add([seen(2, 1002), seen(5, 1005)], id: 7)
        settling.add([seen(12, 1012)], id: 8)
        #expect(settling.take(endedBefore: 1009, atSeconds: 1100).ids.isEmpty)
        settling.add([seen(1, 1001), seen(3, 1003)], id: 9)
        let taken = settling.take(endedBefore: 1015, atSeconds: 1100)
        #expect(taken.ids == [7, 9])
        #expect(taken.observations.map(\.device) == [1, 2, 3, 5])
        #expect(settling.take(endedBefore: 1020, atSeconds: 1100).observations.map(\.device) == [12])
        #expect(settling.isEmpty)
        // A server whose clock is wrong holds up nothing.
        settling.add([seen(9, 90_000)], id: 10)
        #expect(settling.take(endedBefore: 1020, atSeconds: 1100).ids == [10])
    }

    @Test("Numbers that cannot be are no watch")
    func impossible() throws {
        let stored = filled().watch.stored
        let text = String(decoding: try JSONEncoder().encode(stored.tests), as: UTF8.self)
        func watch(_ pattern: String, _ replacement: String) throws -> RolloutWatch? {
            let damaged = text.replacing(try Regex(pattern), with: replacement, maxReplacements: 1)
            #expect(damaged != text, "\(pattern)")
            var other = stored
            other.tests = try JSONDecoder().decode(RolloutWatch.Tests.self, from: Data(damaged.utf8))
            return RolloutWatch(other, atSeconds: .max)
        }
        #expect(throws: DecodingError.self) { try watch(#""excluded":\[[^\]]*\]"#, #""excluded":[[1]]"#) }
        #expect(throws: DecodingError.self) { try watch(#""excluded":\[[^\]]*\]"#, #""excluded":[[2,1]]"#) }
        #expect(try watch(#""excluded":\[[^\]]*\]"#, #""excluded":[[0,1000001]]"#) == nil)
        #expect(try watch(#""stage":\d+"#, #""stage":255"#) == nil)
        #expect(try watch(#""highest":\d+"#, #""highest":0"#) == nil)
        #expect(try watch(#""sinceSeconds":\d+"#, #""sinceSeconds":-9223372036854775808"#) == nil)
        #expect(try watch(#""left":\d+"#, #""left":9223372036854775807"#) == nil)
        #expect(try watch(#""failures":\d+"#, #""failures":9223372036854775807"#) == nil)
        #expect(try watch(#""failedInArm":\d+"#, #""failedInArm":9223372036854775807"#) == nil)
        #expect(try watch(#""share":\d+"#, #""share":-1"#) == nil)
        #expect(try watch(#""logRatios":\[[^\]]*\]"#, #""logRatios":[1]"#) == nil)
        #expect(try watch(#""below":\[[^\]]*\]"#, #""below":[]"#) == nil)
        #expect(try watch(#""squares":\[[^\]]*\]"#, #""squares":[]"#) == nil)
        #expect(try watch(#""devices":\[[^\]]*\]"#, #""devices":[1]"#) == nil)
    }
}

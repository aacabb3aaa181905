import HearthCatalog
import HearthTargeting
import HearthWire
import Testing

@Suite("Release choice") struct ReleaseChoiceTests {
    private func chosen(_ releases: [TargetedRelease], _ device: DeviceFacts = Sample.device(), at now: Int64 = 0)
        -> Int?
    {
        ReleaseChoice.choose(releases, for: device, nowMicroseconds: now)?.release.number
    }

    @Test("Nothing released, nothing given")
    func none() {
        #expect(chosen([]) == nil)
        #expect(chosen([Sample.release(1, share: 0)]) == nil)
    }

    @Test("The newest release that holds the device; else what lies below")
    func newest() {
        let swiss = Sample.release(3) { $0.countries = ["CH"] }
        let releases = [swiss, Sample.release(2, share: 0), Sample.release(1)]
        #expect(chosen(releases) == 1)
        #expect(chosen(releases, Sample.device { $0.country = "CH" }) == 3)
        #expect(chosen([swiss]) == nil)
    }

    @Test("A schedule is followed to the microsecond")
    func schedule() {
        let stages: [Release.Stage] = [.init(atMicroseconds: 100, shareMillionths: Release.wholeShare)]
        let releases = [Sample.release(2, share: 0, stages: stages), Sample.release(1)]
        #expect(chosen(releases, at: 99) == 1)
        #expect(chosen(releases, at: 100) == 2)
    }

    @Test("A paused release keeps the devices that have its version, and takes in no other")
    func paused() {
        let releases = [Sample.release(2, pausedAt: 50), Sample.release(1)]
        #expect(chosen(releases, at: 100) == 1)
        #expect(chosen(releases, Sample.device { $0.knownHash = "hash1" }, at: 100) == 1)
        #expect(chosen(releases, Sample.device { $0.knownHash = "hash2" }, at: 100) == 2)
        #expect(chosen([Sample.release(2, pausedAt: 50)], at: 100) == nil)
        // A device that the share does not hold had the bytes from elsewhere.
        let tiny = [Sample.release(2, share: 0, pausedAt: 50), Sample.release(1)]
        #expect(chosen(tiny, Sample.device { $0.knownHash = "hash2" }, at: 100) == 1)
    }

    @Test("While a release is paused, its stages are not reached")
    func pausedSchedule() {
        let stages: [Release.Stage] = [.init(atMicroseconds: 100, shareMillionths: Release.wholeShare)]
        let releases = [Sample.release(2, share: 0, stages: stages, pausedAt: 99), Sample.release(1)]
        #expect(chosen(releases, Sample.device { $0.knownHash = "hash2" }, at: 1000) == 1)
    }

    @Test("A device stays with its answer: the same question, the same release")
    func stable() {
        let releases = [Sample.release(2, share: 500_000), Sample.release(1)]
        for id in Sample.installations(200) {
            let first = chosen(releases, Sample.device(id))
            #expect((1...3).allSatisfy { _ in chosen(releases, Sample.device(id)) == first })
        }
    }

    @Test("Ids that nobody makes are devices like others", arguments: ["", "/", "\0", "\u{1F525}", "1/2/3"])
    func oddIDs(id: String) {
        #expect(chosen([Sample.release(2, share: 999_999), Sample.release(1)], Sample.device(id)) != nil)
    }
}

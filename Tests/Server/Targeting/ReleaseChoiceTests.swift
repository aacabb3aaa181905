import HearthCatalog
import HearthCrypto
import HearthWire
import Testing

@testable import HearthTargeting

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

    @Test("The newest release that holds the device; else the fallback release")
    func newest() {
        let swiss = Sample.release(3) { $0.countries = ["CH"] }
        let releases = [swiss, Sample.release(2, share: 0), Sample.release(1)]
        #expect(chosen(releases) == 1)
        #expect(chosen(releases, Sample.device { $0.country = "CH" }) == 3)
        #expect(chosen([swiss]) == nil)
    }

    @Test("A schedule is followed to the microsecond")
    func schedule() {
        let stages: [Release.Stage] = [.init(atMicroseconds: 100, shareMillionths: Release.fullShare)]
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
        let stages: [Release.Stage] = [.init(atMicroseconds: 100, shareMillionths: Release.fullShare)]
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

@Suite("Releases with a condition") struct ReleaseConditionTests {
    private func chosen(
        _ condition: String, _ device: DeviceFacts = Sample.device(), share: Int = Release.fullShare, at now: Int64 = 0
    ) -> Int? {
        let top = Sample.release(2, share: share) { $0.condition = condition }
        return ReleaseChoice.choose([top, Sample.release(1)], for: device, nowMicroseconds: now)?.release.number
    }

    @Test("A device gets the release if the condition is true of it; else the fallback release")
    func condition() {
        let swiss = Sample.device { $0.country = "CH" }
        #expect(chosen("device.country in ['CH']", swiss) == 2)
        #expect(chosen("device.country in ['CH']") == 1)
        #expect(
            chosen("app.id == '1:1:linux:ab' && device.os != 'ios'", Sample.device { $0.operatingSystem = "linux" })
                == 2)
        #expect(chosen("app.firebaseInstallationId in ['cABCDEFGHIJKLMNOPQRSTU']") == 2)
        #expect(chosen("app.firebaseInstallationId in ['cABCDEFGHIJKLMNOPQRSTU']", share: 0) == 1)
        #expect(chosen("dateTime >= dateTime('1970-01-01T00:00:01')", at: 999_999) == 1)
        #expect(chosen("dateTime >= dateTime('1970-01-01T00:00:01')", at: 1_000_000) == 2)
    }

    @Test("Lists, versions and the condition must all hold")
    func together() {
        let release = Sample.release(1) {
            $0.countries = ["CH"]
            $0.condition = "device.language in ['de']"
        }
        func isIn(_ country: String, _ language: String) -> Bool {
            let device = Sample.device {
                $0.country = country
                $0.languages = [language]
            }
            return ReleaseChoice.choose([release], for: device, nowMicroseconds: 0) != nil
        }
        #expect(isIn("CH", "de-CH"))
        #expect(!isIn("DE", "de-CH"))
        #expect(!isIn("CH", "fr"))
    }

    @Test(
        "A stored condition that cannot be read is met by nobody, and the others get the fallback release",
        arguments: [
            "", "device.country in [", "\0", "percent <= 1000",
        ])
    func damaged(text: String) {
        #expect(chosen(text) == 1)
    }

    @Test("Percentages take the installations that the language's rule takes, and keep them while they grow")
    func percentages() throws {
        let ids = Sample.installations(2000)
        let condition = try Condition("percent('s') <= 30")
        var count = 0
        for id in ids {
            let device = Sample.device(id)
            let isIn = chosen("percent('s') <= 30", device) == 2
            #expect(isIn == condition.holds(for: device, nowMicroseconds: 5))
            if isIn {
                count += 1
                #expect(chosen("percent('s') <= 31", device) == 2)
            }
        }
        // 600 expected; 4.5 standard deviations are 92.
        #expect(abs(count - 600) <= 92)
    }

    @Test("What was read once is taken over")
    func takenOver() throws {
        let first = Sample.release(2) { $0.condition = "percent <= 10" }
        // Given another meaning, so that it shows which one is asked.
        let stored = LazyCondition("percent <= 10", condition: try Condition("false"))
        let swapped = TargetedRelease(first.served, condition: stored)
        #expect(ReleaseChoice.choose([swapped], for: Sample.device(), nowMicroseconds: 0) == nil)
    }

    @Test(
        "Signals that a question for a model does not tell",
        arguments: [
            ("device.os == 'ios' && device.country in ['CH'] && app.version.>(['1']) && percent <= 1", []),
            ("app.id == 'a' && hearth.tags.inAll(['b']) && dateTime < dateTime('2030-01-01T00:00:00') && true", []),
            ("app.customSignal['a'] > 1 && version(app.customSignal['a']) > '1'", ["app.customSignal['a']"]),
            (
                "app.userProperty['p'].contains(['x']) && app.build.==(['1']) && app.firstOpenTimestamp > ('2020-01-01T00:00:00')",
                ["app.userProperty['p']", "app.build", "app.firstOpenTimestamp"]
            ),
            ("app.audiences.inAll(['a'])", ["app.audiences"]),
        ])
    func untold(text: String, names: [String]) throws {
        #expect(try Condition(text).remoteConfigOnlySignals == names)
    }
}

@Suite("Shares of installations") struct ShareTests {
    private static let installations = Sample.installations(100_000)

    private func buckets(_ number: Int, model: Int64 = 1_000_001, of installations: [String]) -> [Int] {
        let release = Sample.release(number, model: model).served.release
        return installations.map { ShareBucket.bucket(of: $0, in: release) }
    }

    @Test("The bucket is that of the written rule")
    func rule() {
        let digest = SHA256Hasher.hash("1000001/2/cABCDEFGHIJKLMNOPQRSTU".utf8).hex
        let number = UInt64(digest.prefix(16), radix: 16) ?? 0
        let release = Sample.release(2).served.release
        #expect(ShareBucket.bucket(of: "cABCDEFGHIJKLMNOPQRSTU", in: release) == Int(number % 1_000_000))
    }

    @Test("Of 100,000 installations, a release holds the share it names, and a larger share holds the same and more")
    func shares() {
        let buckets = buckets(2, of: Self.installations)
        var before = buckets.map { _ in false }
        for share in [0, 1, 10_000, 100_000, 500_000, 990_000, 999_999, 1_000_000] {
            let release = Sample.release(2, share: share)
            // Through the door at a hundredth of the ids, by the bucket at all of them.
            for index in stride(from: 0, to: buckets.count, by: 100) {
                let device = Sample.device(Self.installations[index])
                let isChosen = ReleaseChoice.choose([release], for: device, nowMicroseconds: 0) != nil
                #expect(isChosen == (buckets[index] < share))
            }
            let now = buckets.map { $0 < share }
            #expect(zip(before, now).allSatisfy { !$0 || $1 }, "nobody falls out of a share that grows")
            before = now
            let count = now.count { $0 }
            // Five standard deviations of a draw of 100,000.
            let part = Double(share) / 1_000_000
            let deviation = (part * (1 - part) / 100_000).squareRoot()
            #expect(abs(Double(count) / 100_000 - part) <= 5 * deviation + 1e-9)
        }
    }

    @Test("Two releases, or the same release of two models, draw independently")
    func independence() {
        let ids = Array(Self.installations.prefix(20_000))
        let first = buckets(2, of: ids)
        for other in [buckets(3, of: ids), buckets(2, model: 1_000_002, of: ids)] {
            let both = zip(first, other).count { $0 < 500_000 && $1 < 500_000 }
            // A quarter of them; one standard deviation is 61.
            #expect(abs(both - 5_000) < 5 * 61)
            let tenths = zip(first, other).count { $0 < 100_000 && $1 < 100_000 }
            #expect(abs(tenths - 200) < 5 * 14)
        }
    }
}

extension ReleaseChoiceTests {
    @Test("Why each release includes a device or not, down to the one that it gets")
    func explanation() {
        let device = Sample.device { $0.country = "CH" }
        let releases = [
            Sample.release(9) { $0.operatingSystems = ["ios"] },
            Sample.release(8) {
                $0.countries = ["CH"]
                $0.tags = ["beta"]
            },
            Sample.release(7) { $0.languages = ["de"] }, Sample.release(6) { $0.appVersionFrom = "2" },
            Sample.release(5) { $0.condition = "device.country in ['AT']" }, Sample.release(4, pausedAt: 1),
            Sample.release(3, share: 0), Sample.release(2) { $0.countries = ["CH"] }, Sample.release(1),
        ]
        let findings = ReleaseChoice.explain(releases, for: device, nowMicroseconds: 0)
        #expect(findings.map(\.release.number) == [9, 8, 7, 6, 5, 4, 3, 2])
        let number = ShareBucket.bucket(of: device.installationID, in: releases[6].served.release)
        #expect(
            findings.map(\.verdict) == [
                .audience(.operatingSystem), .audience(.tag), .audience(.language), .audience(.appVersion),
                .audience(.condition), .paused, .share(number: number, share: 0), .included(number: nil),
            ])
        #expect(chosen(releases, device) == 2)
    }

    @Test("The explanation ends with the release that is chosen, and a share is explained by the number")
    func sameAsChoice() {
        let releases = [Sample.release(2, share: 500_000), Sample.release(1)]
        for id in Sample.installations(200) {
            let findings = ReleaseChoice.explain(releases, for: Sample.device(id), nowMicroseconds: 0)
            #expect(findings.last?.release.number == chosen(releases, Sample.device(id)))
            let number = ShareBucket.bucket(of: id, in: releases[0].served.release)
            let isBelow = number < 500_000
            #expect(
                findings.first?.verdict
                    == (isBelow ? .included(number: number) : .share(number: number, share: 500_000))
            )
        }
        #expect(
            ReleaseChoice.explain([Sample.release(1, share: 0)], for: Sample.device(), nowMicroseconds: 0).count == 1)
    }
}

import HearthCatalog
import HearthTargeting
import HearthWire
import Testing

@Suite("Releases with a condition") struct ReleaseConditionTests {
    private func chosen(
        _ condition: String, _ device: DeviceFacts = Sample.device(), share: Int = Release.wholeShare, at now: Int64 = 0
    ) -> Int? {
        let top = Sample.release(2, share: share) { $0.condition = condition }
        return ReleaseChoice.choose([top, Sample.release(1)], for: device, nowMicroseconds: now)?.release.number
    }

    @Test("A device gets the release if the condition is true of it; else what lies below")
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
        "A stored condition that cannot be read is met by nobody, and the others get what lies below",
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
        let stored = StoredCondition("percent <= 10", condition: try Condition("false"))
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
        #expect(try Condition(text).signalsOfFetchesOnly == names)
    }
}

import HearthCatalog
import HearthWire
import Testing

@testable import HearthTargeting

@Suite("Audience match") struct AudienceMatchTests {
    private func isIn(_ audience: (inout Audience) -> Void, _ device: (inout DeviceFacts) -> Void) -> Bool {
        var wanted = Audience()
        audience(&wanted)
        return AudienceMatch.includes(Sample.device("c", device), in: wanted)
    }

    @Test("Everybody is everybody")
    func everybody() {
        #expect(isIn({ _ in }, { _ in }))
    }

    @Test(
        "Operating systems and countries are compared letter by letter",
        arguments: [("linux", true), ("ios", true), ("android", false), ("Linux", false), ("", false), (nil, false)])
    func systems(system: String?, isMember: Bool) {
        #expect(isIn({ $0.operatingSystems = ["ios", "linux"] }, { $0.operatingSystem = system }) == isMember)
        #expect(isIn({ $0.countries = ["ios", "linux"] }, { $0.country = system }) == isMember)
    }

    @Test("One common tag is enough; a device without any has none")
    func tags() {
        #expect(isIn({ $0.tags = ["beta", "lab"] }, { $0.tags = ["x", "lab"] }))
        #expect(!isIn({ $0.tags = ["beta", "lab"] }, { $0.tags = ["x", "LAB"] }))
        #expect(!isIn({ $0.tags = ["beta"] }, { _ in }))
        #expect(isIn({ _ in }, { $0.tags = ["x"] }))
    }

    @Test("The language that the device wants most decides")
    func languages() {
        #expect(isIn({ $0.languages = ["de", "fr"] }, { $0.languages = ["fr-CH", "en"] }))
        #expect(!isIn({ $0.languages = ["de", "fr"] }, { $0.languages = ["en", "fr"] }))
        #expect(!isIn({ $0.languages = ["de"] }, { _ in }))
    }

    @Test(
        "App versions from, below, and between",
        arguments: [
            ("2.0", nil, "2", true), ("2.0", nil, "1.9.9", false), ("2.0", nil, "10", true),
            (nil, "2.10", "2.9.9", true),
            (nil, "2.10", "2.10.0", false), ("1.2", "1.3", "1.2.99", true), ("1.2", "1.3", "1.3", false),
            ("1.2", "1.3", "1.1", false), ("0", nil, "2.0-beta", false), ("0", nil, "v2", false), ("0", nil, "", false),
            ("0", nil, nil, false), (nil, "9", nil, false), ("garbage", nil, "1", false), (nil, "garbage", "1", false),
            ("0", nil, String(repeating: "1.", count: 100_000) + "1", false),
        ] as [(String?, String?, String?, Bool)])
    func versions(from: String?, below: String?, version: String?, isMember: Bool) {
        let isIn = isIn(
            {
                $0.appVersionFrom = from
                $0.appVersionBelow = below
            }, { $0.appVersion = version })
        #expect(isIn == isMember)
    }

    @Test("All conditions that are set must hold")
    func all() {
        let audience: (inout Audience) -> Void = {
            $0.countries = ["CH"]
            $0.operatingSystems = ["linux"]
            $0.languages = ["de"]
            $0.tags = ["lab"]
            $0.appVersionFrom = "2"
        }
        let facts: [(inout DeviceFacts) -> Void] = [
            { $0.country = "CH" }, { $0.operatingSystem = "linux" }, { $0.languages = ["de-CH"] },
            { $0.tags = ["lab"] },
            { $0.appVersion = "2.1" },
        ]
        #expect(isIn(audience) { device in facts.forEach { $0(&device) } })
        for missing in facts.indices {
            #expect(
                !isIn(audience) { device in for index in facts.indices where index != missing { facts[index](&device) }
                })
        }
    }
}

@Suite("Language tags") struct LanguageTagTests {
    @Test(
        "A language takes in its regions and scripts, in any case",
        arguments: [
            ("de", "de", true), ("de", "de-CH", true), ("DE", "de-ch", true), ("de", "de_CH", true),
            ("de-CH", "de-CH-1996", true), ("de", "den", false), ("de-CH", "de", false), ("de-CH", "de-CHX", false),
            ("de", "", false), ("zh-Hant", "zh-Hant-TW", true), ("zh-TW", "zh-Hant-TW", false), ("en", "de-en", false),
        ])
    func prefix(range: String, tag: String, isPrefix: Bool) {
        #expect(LanguageTag.isPrefix(range, of: tag) == isPrefix)
    }
}

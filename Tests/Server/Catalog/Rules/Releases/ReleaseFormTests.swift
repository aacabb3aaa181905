import HearthWire
import Testing

@testable import HearthCatalog

@Suite("Release lifecycle: shares, stages and audiences") struct ReleaseFormTests {
    private func refusal(
        share: Int = 0, stages: [(Int64, Int)] = [], _ edit: (inout Audience) -> Void = { _ in }
    ) throws -> String? {
        var audience = Audience()
        edit(&audience)
        var model = try StoredModel(.init(displayName: "flowers", upload: try Sample.upload()))
        do {
            try model.release(
                version: 1, share: share,
                stages: stages.map { .init(atMicroseconds: $0.0, shareMillionths: $0.1) }, audience: audience)
        } catch let error as CatalogError {
            #expect(error.code == .invalidArgument && model.releases.isEmpty)
            return error.message
        }
        return nil
    }

    @Test("Shares go from 0 to 1,000,000", arguments: [-1, 1_000_001, Int.min, Int.max])
    func shares(share: Int) throws {
        let text = "A share must be 0 to 1, in steps of a millionth, not \(share) millionths."
        #expect(try refusal(share: share) == text)
        #expect(try refusal(stages: [(1, share)]) == text)
        #expect(try refusal(share: 0) == nil && refusal(share: 1_000_000) == nil)
    }

    @Test("Stages stand in order of time, never go down, and are 32 at most")
    func stages() throws {
        #expect(try refusal(stages: [(1, 5), (2, 5), (9, 1_000_000)]) == nil)
        #expect(
            try refusal(stages: [(1, 5), (1, 6)])
                == "Stages must be in order of time; stage 2 is not later than stage 1.")
        #expect(
            try refusal(stages: [(2, 5), (1, 6)])
                == "Stages must be in order of time; stage 2 is not later than stage 1.")
        #expect(
            try refusal(stages: [(1, 50_000), (2, 49_999)])
                == "A stage must not have a smaller share than the one before; stage 2 has 4.9999 % after 5 %.")
        #expect(
            try refusal(share: 6, stages: [(1, 5)])
                == "A stage must not have a smaller share than the one before; stage 1 has 0.0005 % after 0.0006 %.")
        for time in [-1, Int64.min, Int64.max, 253_402_300_800_000_000] {
            #expect(try refusal(stages: [(time, 5)]) == "The time of stage 1 must be between 1970 and 9999.")
        }
        let many = (0..<33).map { (Int64($0), $0) }
        #expect(try refusal(stages: many) == "A release may have at most 32 stages; these are 33.")
        #expect(try refusal(stages: many.dropLast()) == nil)
    }

    @Test("Countries, languages, systems, tags and versions of the forms that devices have")
    func validAudience() throws {
        let text = try refusal {
            $0.countries = ["CH", "DE"]
            $0.languages = ["de", "pt-BR", "zh-Hant-TW", "de-CH-1996", "EN-us", "tlh", "sl-rozaj-biske"]
            $0.operatingSystems = ["linux", "ios", "macos", "raspberry_pi-os", "win11"]
            $0.tags = ["beta", "Lab_2"]
            $0.appVersionFrom = "2.9"
            $0.appVersionBelow = "2.10"
        }
        #expect(text == nil)
    }

    @Test("A bad country is named", arguments: ["ch", "CHE", "C", "", "C1", "CH ", "\u{C4}B", "C\n"])
    func countries(item: String) throws {
        let shown = item.map { $0 == "\n" ? "?" : String($0) }.joined()
        #expect(
            try refusal { $0.countries = ["DE", item] }
                == "A country must be two capital letters of ISO 3166-1, such as CH, not '\(shown)'.")
    }

    @Test(
        "A bad language is named",
        arguments: [
            "", "d", "de_CH", "de-", "-de", "de--CH", "de CH", "*", "1de", "de-abcdefghi", "abcdefghi", "d\u{E9}",
        ])
    func languages(item: String) throws {
        #expect(
            try refusal { $0.languages = [item] }
                == "A language must be a BCP 47 tag, such as de or pt-BR, not '\(item)'.")
    }

    @Test("A bad operating system is named", arguments: ["", "iOS", "ios 17", "1os", "-os", "linux,ios"])
    func systems(item: String) throws {
        #expect(
            try refusal { $0.operatingSystems = [item] }
                == "An operating system must be a word in small letters, such as linux or android, not '\(item)'.")
    }

    @Test("A bad tag is named", arguments: ["", "a b", "a,b", "\u{E4}"])
    func tags(item: String) throws {
        #expect(
            try refusal { $0.tags = [item] }
                == "A tag must have 1 to 32 letters, digits, hyphens or underscores, unlike '\(item)'.")
    }

    @Test("A bad version is named, and a range that holds none is refused")
    func versions() throws {
        for text in ["", "v1", "1.", ".1", "1..2", "1.x", "1,2", "-1"] {
            let refusals = [
                try refusal { $0.appVersionFrom = text }, try refusal { $0.appVersionBelow = text },
            ]
            #expect(
                refusals.allSatisfy { $0 == "An app version must be numbers with dots, such as 2.10.0, not '\(text)'." }
            )
        }
        for (from, below) in [("2.0", "2"), ("2.10", "2.9"), ("1", "0")] {
            let text = try refusal {
                $0.appVersionFrom = from
                $0.appVersionBelow = below
            }
            #expect(text?.hasSuffix("no device can match this audience.") == true)
        }
    }

    @Test("Lists have at most 64 items, and a long item is cut in the error")
    func limits() throws {
        #expect(try refusal { $0.tags = (0..<64).map { "t\($0)" } } == nil)
        #expect(
            try refusal { $0.tags = (0..<65).map { "t\($0)" } } == "An audience may have at most 64 tags; these are 65."
        )
        let long = try #require(try refusal { $0.countries = [String(repeating: "x", count: 1_000_000)] })
        #expect(long.utf8.count < 200)
    }
}

@Suite("Whether one audience lies within another") struct AudienceReachTests {
    private func audience(_ edit: (inout Audience) -> Void) -> Audience {
        var audience = Audience()
        edit(&audience)
        return audience
    }

    @Test("A condition narrows; what another one means is not known, so it may reach others")
    func conditions() {
        let swiss = audience { $0.condition = "device.country in ['CH']" }
        let swissLinux = audience {
            $0.condition = "device.country in ['CH']"
            $0.operatingSystems = ["linux"]
        }
        let other = audience { $0.condition = "device.country in ['AT']" }
        #expect(AudienceValidator.isWithin(swiss, Audience()))
        #expect(!AudienceValidator.isWithin(Audience(), swiss))
        #expect(AudienceValidator.isWithin(swissLinux, swiss))
        #expect(!AudienceValidator.isWithin(swiss, swissLinux))
        #expect(!AudienceValidator.isWithin(other, swiss) && !AudienceValidator.isWithin(swiss, other))
        #expect(AudienceValidator.isSame(swiss, swiss) && !AudienceValidator.isSame(swiss, other))
        #expect(!AudienceValidator.isSame(swiss, Audience()) && !swiss.isEverybody)
    }
}

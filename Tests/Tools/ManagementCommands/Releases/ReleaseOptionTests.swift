import HearthArguments
import HearthCalls
import HearthCatalog
import HearthWire
import Testing

@testable import HearthManagementCommands

@Suite struct ReleaseOptionTests {
    private let now = Timestamp(rfc3339: "2026-11-21T12:00:00Z")!

    @Test(arguments: [
        ("10%", 100_000), ("0.1", 100_000), ("0%", 0), ("0", 0), ("100%", 1_000_000), ("2.5%", 25_000),
        ("0.0001%", 1), ("0.000001", 1), ("33.3333%", 333_333), ("00.5", 500_000), ("0.50", 500_000),
        ("33,3%", 333_000), ("33.3 %", 333_000), (" 5%", 50_000), ("0,25", 250_000),
        ("33.30000000%", 333_000), ("0.1000000", 100_000), ("0.00000%", 0),
    ])
    func shares(text: String, millionths: Int) {
        #expect(Share(argument: text)?.millionths == millionths)
    }

    @Test(arguments: [
        "1", "1.0", "10", "100", "101%", "100.0001%", "-1%", "+5%", "1e-3", ".5", "5.", "5.%", "%", "",
        "nan", "inf", "0x1", "0.0000001", "0.00001%", "99999999999999999999%", "1,5", "1,5,2%", "1 0%", "٣%", "10%%",
    ])
    func whatIsNoShare(text: String) {
        #expect(Share(argument: text) == nil)
    }

    @Test func sharesAsText() {
        for text in ["0%", "10%", "2.5%", "0.0001%", "33.3333%", "100%"] {
            #expect(Share(argument: text)?.text == text)
        }
        #expect(Share(fraction: 0.1).text == "10%" && Share(fraction: 1.0 / 3).text == "33.3333%")
        #expect(Share(fraction: .nan) == .none && Share(fraction: 7) == .whole && Share(fraction: -.infinity) == .none)
    }

    @Test(arguments: [
        ("2026-12-01T09:00Z", "2026-12-01T09:00:00Z"), ("2026-12-01T09:00:30Z", "2026-12-01T09:00:30Z"),
        ("2026-12-01T09:00+01:00", "2026-12-01T08:00:00Z"), ("2026-12-01T00:30+05:45", "2026-11-30T18:45:00Z"),
        ("2026-12-31T20:00:00-08:00", "2027-01-01T04:00:00Z"), ("+90m", "2026-11-21T13:30:00Z"),
        ("+2h", "2026-11-21T14:00:00Z"), ("+3d", "2026-11-24T12:00:00Z"), ("+1w", "2026-11-28T12:00:00Z"),
        ("2028-02-29T00:00Z", "2028-02-29T00:00:00Z"),
    ])
    func times(text: String, wire: String) throws {
        #expect(TimeArgument.wire(try #require(TimeArgument.parse(text, now: now))) == wire)
    }

    @Test(arguments: [
        "2026-12-01", "2026-12-01T09:00", "2026-12-01 09:00Z", "2026-02-30T09:00Z", "2026-12-01T24:00Z", "tomorrow",
        "+", "+h", "+1", "+1y", "2h", "-2h", "+-2h", "+99999999999d", "+9223372036854775807s", "2026-12-01T09:00+15:00",
        "2026-12-01T09:00+1:00", "2026-12-01T09:00+01:60", "Z", "+01:00", "", "2026-12-01T9:00Z", "２026-12-01T09:00Z",
    ])
    func whatIsNoTime(text: String) {
        #expect(TimeArgument.parse(text, now: now) == nil)
    }

    @Test func lengthsOfTime() {
        #expect(DurationArgument(argument: "90s")?.seconds == 90 && DurationArgument(argument: "0s")?.seconds == 0)
        #expect(DurationArgument(argument: "30d")?.seconds == 2_592_000)
        #expect(DurationArgument(argument: "3650d") != nil && DurationArgument(argument: "3651d") == nil)
        #expect(
            DurationArgument(argument: "30") == nil && DurationArgument(argument: "1.5h") == nil
                && DurationArgument(argument: "") == nil)
        #expect(DurationArgument(seconds: 2_592_000).defaultValueDescription == "30d")
        let error = #expect(throws: (any Error).self) { try APIKeyRotateCommand.parse(["id", "--grace", "5"]) }
        #expect(error.map { "\($0)" }?.contains("such as 30d") == true)
    }

    private func body(_ arguments: String...) throws -> ReleaseBodies.CreateRequest {
        try ReleaseCreateCommand.parse(["m"] + arguments).body(version: 4, now: now)
    }

    @Test func whatIsNotSaidIsLeftToTheServer() throws {
        let body = try body()
        #expect(body.share == nil && body.stages == nil && body.audience == nil)
        #expect(body.allowContractChange == nil)
    }

    @Test func aScheduleBeginsWithNoDevice() throws {
        let scheduled = try body("--stage", "2026-12-02T09:00Z=100%", "--stage", "+1h=0.5")
        #expect(scheduled.share == 0)
        #expect(
            scheduled.stages == [
                .init(time: "2026-11-21T13:00:00Z", share: 0.5), .init(time: "2026-12-02T09:00:00Z", share: 1),
            ])
        #expect(try body("--share", "10%", "--stage", "+1h=50%").share == 0.1)
    }

    @Test func audiences() throws {
        let body = try body(
            "--app-version-from", "2.1", "--app-version-below", "3", "--os", "Linux", "--os", "ios", "--language", "de",
            "--country", "ch", "--tag", "beta", "--allow-contract-change")
        let audience = try #require(body.audience)
        #expect(audience.appVersionFrom == "2.1" && audience.appVersionBelow == "3")
        #expect(audience.operatingSystems == ["linux", "ios"] && audience.countries == ["CH"])
        #expect(audience.languages == ["de"] && audience.tags == ["beta"])
        #expect(body.version == 4 && body.allowContractChange == true)
        #expect(AudienceText.text(audience) == "app 2.1 to below 3, linux or ios, de, CH, tag beta")
        #expect(AudienceText.text(nil) == "all devices")
    }

    @Test func aConditionInWordsIsLeftToTheServer() throws {
        let text = "device.country in ['CH'] && percent <= 10"
        let audience = try #require(try body("--condition", text, "--os", "linux").audience)
        #expect(audience.condition == text && audience.operatingSystems == ["linux"])
        #expect(AudienceText.text(audience) == "linux, if device.country in ['CH'] && percent <= 10")
        var alone = audience
        alone.operatingSystems = []
        #expect(AudienceText.text(alone) == "the devices that meet device.country in ['CH'] && percent <= 10")
        let other = try ReleaseSetCommand.parse(["m", "3", "--condition", "true"])
        let changed = try #require(try other.body(changing: audience, now: now).audience)
        #expect(changed.condition == "true" && changed.operatingSystems == ["linux"])
    }

    @Test func aChangedConditionLeavesTheOthers() throws {
        var present = Audience()
        present.countries = ["CH"]
        present.tags = ["beta"]
        let command = try ReleaseSetCommand.parse(["m", "3", "--tag", "gamma"])
        let changed = try #require(try command.body(changing: present, now: now).audience)
        #expect(changed.countries == ["CH"] && changed.tags == ["gamma"])
        let lifted = try ReleaseSetCommand.parse(["m", "--everybody"]).body(changing: nil, now: now)
        #expect(lifted.audience?.isEverybody == true && lifted.share == nil && lifted.allowContractChange == nil)
        let allowed = try ReleaseSetCommand.parse(["m", "--share", "50%", "--allow-contract-change"])
        #expect(try allowed.body(changing: nil, now: now).allowContractChange == true)
    }

    private func refusal(_ command: any ParsableCommand.Type, _ arguments: [String]) -> String {
        do {
            _ = try ManagementProgram.parseAsRoot(arguments)
            return ""
        } catch {
            return ManagementProgram.message(for: error)
        }
    }

    @Test(arguments: [
        (["create", "m", "--share", "10"], "write 10% or a fraction"),
        (["create", "m", "--share", "1"], "write 1% or 100%"),
        (["create", "m", "--share", "120%"], "at most 100%"),
        (["create", "m", "--share", "33.333333%"], "at most 4 digits behind the point, such as 33.3333%"),
        (["create", "m", "--share", "0.00001%"], "at most 4 digits behind the point"),
        (["create", "m", "--share", "33,3"], "write 33,3% or a fraction below 1"),
        (["create", "m", "--share", "much"], "a share such as 10% or 0.1, from 0% to 100%"),
        (["create", "m", "--stage", "50%"], "write TIME=SHARE"),
        (["create", "m", "--stage", "2026-12-01=50%"], "a time such as"),
        (["create", "m", "--stage", "+1h=50"], "write 50%"),
        (["create", "m", "--stage", "+1h=5%", "--stage", "+60m=6%"], "two shares for one time"),
        (["create", "m", "--country", "Switzerland"], "two letters"),
        (["create", "m", "--language", "d"], "not a language"),
        (["create", "m", "--app-version-from", "v2"], "dotted numbers"),
        (["create", "m", "--tag", "a,b"], "A tag must have"),
        (["create", "m", "--os", "a b"], "not an operating system"),
        (["create", "m", "--version", "0"], "from 1,"),
        (["set", "m", "--allow-contract-change"], "Give what to change"), (["set", "m"], "Give what to change"),
        (["set", "m", "--everybody", "--tag", "x"], "not both"),
        (["pause", "m", "0"], "from 1."), (["rollback", "m", "--to", "0"], "from 1,"),
        (["rollback", "m", "--allow-contract-change"], "is only for --to"),
        (["rollback", "m", "--allow-crashing"], "is only for --to"),
        (["creat", "m"], "Did you mean 'create'?"), (["list", "a b"], "A model's name must have"),
    ])
    func wrongArgumentsAreExplained(arguments: [String], text: String) {
        #expect(refusal(ReleasesCommand.self, ["releases"] + arguments).contains(text))
    }
}

import HearthApp
import HearthArguments
import Testing

@testable import HearthDeviceCommands

@Suite struct DescriptionOptionTests {
    @Test func aDeviceCanBeDescribed() throws {
        let description = try PullCommand.parse([
            "digits", "--tag", "beta", "--tag", "kiosk", "--app-version", "2.10.0", "--language", "de_CH", "--country",
            "ch", "--os", "iOS",
        ]).description
        var told = DeviceDescription()
        try description.apply(to: &told)
        #expect(told.operatingSystem == "ios")
        #expect(description.tag == ["beta", "kiosk"])
        #expect(description.appVersion == "2.10.0")
        #expect(description.language == "de_CH" && description.country == "ch")
        #expect(try PullCommand.parse(["digits"]).description.tag.isEmpty)
    }

    @Test(arguments: [
        ("--tag", "a b"), ("--tag", "a,b"), ("--tag", ""), ("--tag", "a\r\nx-evil: 1"), ("--app-version", "2.1-beta"),
        ("--language", "german language"), ("--country", "CHE"),
        ("--os", "i os"),
    ])
    func whatNoDeviceTellsIsRefusedBeforeTheServerIsAsked(option: String, text: String) {
        let error = #expect(throws: (any Error).self) { try PullCommand.parse(["digits", "\(option)=\(text)"]) }
        let told = error.map { PullCommand.message(for: $0) } ?? ""
        #expect(
            ["tag", "version", "language", "country", "operating system"].contains { told.contains($0) }, "\(told)")
        #expect(!told.contains("\r"))
    }

    @Test func tooManyTagsAreRefused() {
        let tags = (0..<17).flatMap { ["--tag", "tag\($0)"] }
        #expect(throws: (any Error).self) { try PullCommand.parse(["digits"] + tags) }
        #expect(throws: Never.self) { try PullCommand.parse(["digits"] + tags.dropLast(2)) }
    }
}

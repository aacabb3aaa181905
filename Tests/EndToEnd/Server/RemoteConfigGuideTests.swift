import EndToEndDriving
import Foundation
import HearthTestSupport
import Testing

extension EndToEndSuites {
    /// Every command of the guide to Remote Config, in its order, as one script.
    @Suite struct RemoteConfigGuideTests {
        @Test func eachCommandOfTheGuideWorks() throws {
            let script = try GuideScript("remote-config.md", jsonFile: "template.json")
            let folder = try TemporaryFolder()
            let ending = try script.run(in: folder, against: ServerProcess())
            #expect(ending.exitCode == 0, "\(ending.errors)")
            // What the guide shows of it.
            let shown = try #require(script.guide.components(separatedBy: "```text\n").dropFirst().first)
            let made = try #require(shown.components(separatedBy: "```").first)
            for line in made.split(separator: "\n") { #expect(ending.output.contains(line), "\(ending.output)") }
            #expect(ending.output.contains("Made version 7."))
            let file = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/RemoteConfigDefaults.plist"))
            let defaults = try PropertyListSerialization.propertyList(from: file, format: nil)
            #expect(defaults as? [String: String] == ["flower_model": "flowers", "threshold": "0.6"])
        }
    }
}

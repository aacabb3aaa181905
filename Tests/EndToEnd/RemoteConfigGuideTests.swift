import Foundation
import HearthTestSupport
import Testing

extension EndToEndSuites {
    /// Every command of the guide to Remote Config, in its order, as one script.
    @Suite struct RemoteConfigGuideTests {
        @Test func eachCommandOfTheGuideWorks() throws {
            let guide = try String(
                contentsOf: TestPaths.package.appendingPathComponent("docs/guides/remote-config.md"), encoding: .utf8)
            let server = try ServerProcess()
            let folder = try TemporaryFolder()
            let ending = try RunningProgram(
                "/usr/bin/env",
                [
                    "-C", folder.path,
                    "PATH=\((try HearthProgram.path() as NSString).deletingLastPathComponent):/usr/bin:/bin",
                    "HEARTH_CREDENTIALS=\(server.adminFile)", "sh", "-ec", Self.script(guide),
                ]
            ).end(seconds: 60)
            #expect(ending.exitCode == 0, "\(ending.errors)")
            // What the guide shows of it.
            let shown = try #require(guide.components(separatedBy: "```text\n").dropFirst().first)
            let made = try #require(shown.components(separatedBy: "```").first)
            for line in made.split(separator: "\n") { #expect(ending.output.contains(line), "\(ending.output)") }
            #expect(ending.output.contains("Made version 7."))
            let file = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/RemoteConfigDefaults.plist"))
            let defaults = try PropertyListSerialization.propertyList(from: file, format: nil)
            #expect(defaults as? [String: String] == ["flower_model": "flowers", "threshold": "0.6"])
        }

        /// Its commands, with its template in the file that they name.
        private static func script(_ guide: String) -> String {
            let blocks = guide.components(separatedBy: "\n```").dropFirst()
            return blocks.map { block -> String in
                if block.hasPrefix("sh\n") { return String(block.dropFirst(3)) + "\n" }
                if block.hasPrefix("json\n") { return "cat > template.json <<'END'\n\(block.dropFirst(5))\nEND\n" }
                return ""
            }.joined()
        }
    }
}

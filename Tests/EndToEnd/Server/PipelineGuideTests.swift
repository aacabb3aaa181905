import EndToEndDriving
import Foundation
import HearthTestSupport
import Testing

extension EndToEndSuites {
    /// The shell lines of the guide for pipelines, without those that install the package.
    @Suite struct PipelineGuideTests {
        private static func lines(below title: String) throws -> [String] {
            let guide = try String(
                contentsOf: TestPaths.package.appendingPathComponent("docs/guides/pipelines.md"), encoding: .utf8)
            let section = try #require(guide.components(separatedBy: "## \(title)\n").dropFirst().first)
            return section.components(separatedBy: "\n## ")[0].split(separator: "\n").map { line in
                let text = line.trimmingCharacters(in: .whitespaces)
                return text.hasPrefix("- ") ? String(text.dropFirst(2)) : text
            }.filter { $0.hasPrefix("hearth ") }
        }

        @Test(
            "The lines of both pipelines publish to a tenth, and a second run sends nothing",
            arguments: ["GitHub", "GitLab"])
        func publish(title: String) throws {
            let lines = try Self.lines(below: title)
            #expect(lines.count == 3)
            let server = try ServerProcess()
            let made = try server.hearth("keys", "token", "create", "pipeline", "--role", "publisher", "--json")
            let token = try #require(made.output.firstMatch(of: #/"token":"([^"]+)"/#)?.1)
            // A release to a share needs a version that the others keep.
            #expect(try server.hearth("models", "push", "flowers", SampleModels.file, "--publish").exitCode == 0)
            let folder = try TemporaryFolder()
            _ = try folder.write(SampleModels.bytes(SampleModels.secondFile), to: "model.tflite")
            let script = try folder.write(Array((["set -e"] + lines).joined(separator: "\n").utf8), to: "pipeline.sh")
            let programs = (try HearthProgram.path() as NSString).deletingLastPathComponent
            func run() throws -> ProcessResult {
                try RunningProgram(
                    "/usr/bin/env",
                    [
                        "-i", "-C", folder.path, "PATH=\(programs):/usr/bin:/bin", "HEARTH_URL=\(server.url)",
                        "HEARTH_TOKEN=\(token)", "HOME=\(folder.path)", "sh", script,
                    ]
                ).waitForExit(seconds: 60)
            }
            let first = try run()
            #expect(first.exitCode == 0, "\(first.errors)")
            #expect(first.output.contains("Pushed 'flowers' version 2"), "\(first.output)")
            #expect(first.output.contains("10%"), "\(first.output)")
            let second = try run()
            #expect(second.output.contains("Nothing new: 'flowers' version 2"), "\(second.output) \(second.errors)")
            #expect(!(first.output + first.errors + second.errors).contains(token))
        }
    }
}

import EndToEndDriving
import Foundation
import HearthTestSupport
import Testing

extension EndToEndSuites {
    /// Every command of the curl guide, in its order, as one script.
    @Suite(.enabled(if: GuideTools.arePresent, "bash, curl, jq or python3 is absent"))
    struct CurlGuideTests {
        private let guide: String

        init() throws {
            guide = try String(
                contentsOf: TestPaths.package.appendingPathComponent("docs/guides/curl.md"), encoding: .utf8)
        }

        @Test func aCheckThatOutlastsTheWaitIsSaid() throws {
            let start = try #require(guide.range(of: "model_name() {"))
            let end = try #require(guide.range(of: "\n}\n", range: start.lowerBound..<guide.endIndex))
            let answer = #"{"name": "operations/7-1", "done": false}"#
            let script = "\(guide[start.lowerBound..<end.upperBound])echo '\(answer)' | model_name"
            let ending = try RunningProgram("/usr/bin/env", ["bash", "-c", script]).waitForExit(seconds: 60)
            #expect(ending.exitCode != 0 && ending.output.isEmpty)
            #expect(ending.errors.contains("still being checked: operations/7-1"), "\(ending.errors)")
        }

        @Test func eachCommandOfTheGuideWorks() throws {
            let pieces = guide.components(separatedBy: "```sh\n").dropFirst()
                .map { $0.components(separatedBy: "```")[0] }
            #expect(pieces.count == 8)

            let server = try ServerProcess()
            let folder = try TemporaryFolder()
            let files = FileManager.default
            try files.createSymbolicLink(atPath: folder.path + "/hearth-data", withDestinationPath: server.data.path)
            try files.createSymbolicLink(
                atPath: folder.path + "/Models",
                withDestinationPath: TestPaths.package.appendingPathComponent("Models").path)
            let script = try folder.write(Array(pieces.joined().utf8), to: "guide.sh")
            let programs = (try HearthProgram.path() as NSString).deletingLastPathComponent
            let ending = try RunningProgram(
                "/usr/bin/env", ["-C", folder.path, "PATH=\(programs):/usr/bin:/bin", "bash", script]
            ).waitForExit(seconds: 60)
            #expect(ending.exitCode == 0, "\(ending.errors)")
            #expect(ending.output.contains("fetched.tflite: OK\n304\n"), "\(ending.output)")
            // One installation, which converted once although it reported twice.
            let counted = ending.output.components(separatedBy: "draft\nrunning\n2\n2\n").last ?? ""
            #expect(counted.contains(#""count":1,"value":1}"#), "\(ending.output)")
            #expect(counted.contains(",1,1.0\r\n") && counted.hasSuffix("stopped\n"), "\(ending.output)")
        }
    }
}

/// What the guide says that one needs.
private enum GuideTools {
    static let arePresent = ["bash", "curl", "jq", "python3"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
    }
}

extension EndToEndSuites {
    /// Every command of the guide to A/B tests, in its order, as one script.
    @Suite struct ExperimentGuideTests {
        @Test func eachCommandOfTheGuideWorks() throws {
            let script = try GuideScript("experiments.md", jsonFile: "experiment.json")
            let server = try ServerProcess()
            let folder = try TemporaryFolder()
            try FileManager.default.createSymbolicLink(
                atPath: folder.path + "/Models",
                withDestinationPath: TestPaths.package.appendingPathComponent("Models").path)
            let ending = try script.run(in: folder, against: server)
            #expect(ending.exitCode == 0, "\(ending.errors)")
            for line in [
                "Rolled out 'variant-1' of 'better-digits'", "Stopped 'threshold'", "Started 'swiss-threshold'",
                "Deleted 'threshold'.",
            ] { #expect(ending.output.contains(line), "\(line)\n\(ending.output)") }
            #expect(try server.hearth("models", "show", "digits").output.contains("2"))
            let table = try String(contentsOfFile: folder.path + "/threshold.csv", encoding: .utf8)
            #expect(table.hasPrefix("installation,variant,first_exposure,digit_confirmed:conversion:count,"))
        }
    }
}

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

extension EndToEndSuites {
    /// Programs of the guides, run as a reader would. SwiftPM builds them together with the tests.
    @Suite struct SnippetTests {
        @Test func theProgramForFramesPrintsAnAnswerBeforeItEnds() throws {
            let program = try RunningProgram(
                "/bin/sh",
                [
                    "-c", #"printf '%s\n%s\n' "$2" "$2" | "$0" "$1""#, try HearthProgram.path("LabelFrames"),
                    SampleModels.file, SampleModels.image,
                ])
            let ending = try program.waitForExit(seconds: 60)
            #expect(ending.exitCode == 0, "\(ending.errors)")
            #expect(ending.output.split(separator: "\n").last == "7")
        }
    }
}

/// A guide's commands, in its order, as one script for `sh`.
struct GuideScript {
    let guide: String
    private let jsonFile: String

    /// - Parameters:
    ///   - name: of the guide in `docs/guides`.
    ///   - jsonFile: what its commands call the file that the guide shows as JSON.
    init(_ name: String, jsonFile: String) throws {
        guide = try String(
            contentsOf: TestPaths.package.appendingPathComponent("docs/guides/\(name)"), encoding: .utf8)
        self.jsonFile = jsonFile
    }

    var text: String {
        let blocks = guide.components(separatedBy: "\n```").dropFirst()
        return blocks.map { block -> String in
            if block.hasPrefix("sh\n") { return String(block.dropFirst(3)) + "\n" }
            if block.hasPrefix("json\n") { return "cat > \(jsonFile) <<'END'\n\(block.dropFirst(5))\nEND\n" }
            return ""
        }.joined()
    }

    /// Runs it in the folder, with `hearth` in the path and the server's credentials.
    func run(in folder: TemporaryFolder, against server: ServerProcess) throws -> ProcessResult {
        try RunningProgram(
            "/usr/bin/env",
            [
                "-C", folder.path,
                "PATH=\((try HearthProgram.path() as NSString).deletingLastPathComponent):/usr/bin:/bin",
                "HEARTH_CREDENTIALS=\(server.adminFile)", "sh", "-ec", text,
            ]
        ).waitForExit(seconds: 60)
    }
}

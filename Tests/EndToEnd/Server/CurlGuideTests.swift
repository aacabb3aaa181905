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
            let ending = try RunningProgram("/usr/bin/env", ["bash", "-c", script]).end(seconds: 60)
            #expect(ending.exitCode != 0 && ending.output.isEmpty)
            #expect(ending.errors.contains("still being checked: operations/7-1"), "\(ending.errors)")
        }

        @Test func eachCommandOfTheGuideWorks() throws {
            let pieces = guide.components(separatedBy: "```sh\n").dropFirst()
                .map { $0.components(separatedBy: "```")[0] }
            #expect(pieces.count == 7)

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
            ).end(seconds: 60)
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

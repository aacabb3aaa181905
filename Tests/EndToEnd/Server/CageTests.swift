import EndToEndDriving
import Foundation
import HearthTestSupport
import HearthWire
import Testing

extension EndToEndSuites {
    /// What a model that took the probe over could do: nothing.
    @Suite struct CageTests {
        private struct Outcome: Decodable {
            var before: String
            var inside: String
        }

        @Test func everyWayOutIsClosed() throws {
            let server = try ServerProcess()
            #expect(try server.hearth("models", "push", "digits", SampleModels.file).exitCode == 0)
            let blob = try server.data.path + "/blobs/" + #require(server.storedFiles().first)
            let paths = [server.databaseFile, blob, server.adminFile, "/etc/passwd"]
            let ending = try HearthProgram.run(["probe", "--try-escape"] + paths)
            #expect(ending.exitCode == 0, "\(ending.errors)")
            let outcomes = try WireJSON.decode([String: Outcome].self, from: ending.output.utf8)
            let attempts = [
                "create a file", "socket", "socket to a local server", "second descriptor", "start a program",
                "start a thread", "signal another process", "executable memory",
            ]
            #expect(Set(outcomes.keys) == Set(paths.map { "open \($0)" } + attempts))
            for (attempt, outcome) in outcomes {
                // It must have been possible, or the refusal says nothing.
                #expect(outcome.before == "ok", "\(attempt)")
                #expect(["Operation not permitted", "Too many open files"].contains(outcome.inside), "\(attempt)")
            }
        }

        @Test func aProbeWithoutAModelSaysSo() throws {
            let ending = try HearthProgram.run(["probe"])
            #expect(ending.exitCode == 70, "no file's fault, so no verdict on one")
            #expect(ending.output.isEmpty)
            // Standard error is a file here.
            #expect(ending.errors.contains("the probe cannot read the model"))
        }

        @Test func aReportGoesToAFileAsWell() throws {
            let folder = try TemporaryFolder()
            let report = folder.path + "/report"
            let script = #""$0" probe 3<"$1" >"$2""#
            #expect(try HearthProgram.shell(script, SampleModels.file, report).end(seconds: 60).exitCode == 0)
            #expect(
                try WireJSON.decode(ProbeReport.self, from: Data(contentsOf: URL(fileURLWithPath: report))).verdict
                    == .ok)
        }
    }
}

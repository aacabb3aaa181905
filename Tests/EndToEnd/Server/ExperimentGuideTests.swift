import EndToEndDriving
import Foundation
import HearthTestSupport
import Testing

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

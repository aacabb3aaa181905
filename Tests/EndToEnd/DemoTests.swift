import Foundation
import HearthTestSupport
import Testing

extension EndToEndSuites {
    @Suite struct DemoTests {
        @Test func theDemoWorksAndLeavesNothingBehind() throws {
            let folder = try TemporaryFolder()
            let ending = try RunningProgram(
                HearthProgram.path(), ["demo", "--models", TestPaths.package.appendingPathComponent("Models").path],
                environment: ["TMPDIR": folder.path]
            ).end(seconds: 120)
            #expect(ending.exitCode == 0, "\(ending.errors)")
            #expect(ending.output.contains("All of it worked"))
            #expect(!ending.output.contains("wrong"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
        }

        @Test func theDemoFailsWithoutItsModels() throws {
            let ending = try HearthProgram.run(["demo", "--models", "/nonexistent"])
            #expect(ending.exitCode == 1)
            #expect(ending.errorLines.count == 1)
        }
    }
}

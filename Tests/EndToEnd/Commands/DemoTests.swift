import EndToEndDriving
import Foundation
import Glibc
import HearthTestSupport
import Testing

extension EndToEndSuites {
    @Suite struct DemoTests {
        @Test func theDemoWorksAndLeavesOnlyItsDrawingBehind() throws {
            let folder = try TemporaryFolder()
            let ending = try RunningProgram(
                HearthProgram.path(), ["demo", "--models", TestPaths.package.appendingPathComponent("Models").path],
                // The second: of a server that the user works with elsewhere.
                environment: ["TMPDIR": folder.path, "HEARTH_SERVER_URL": "http://127.0.0.1:9"]
            ).waitForExit(seconds: 120)
            #expect(ending.exitCode == 0, "\(ending.errors)")
            #expect(ending.output.contains("All of it worked"))
            #expect(!ending.output.contains("wrong"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["hearth-demo.png"])
        }

        @Test func theDemoFailsWithoutItsModels() throws {
            let ending = try HearthProgram.run(["demo", "--models", "/nonexistent"])
            #expect(ending.exitCode == 1)
            #expect(ending.errorLines.count == 1)
            #expect(ending.errors.contains("--models"))
        }

        @Test(arguments: [SIGINT, SIGTERM])
        func anInterruptedDemoLeavesNothingBehind(signal: Int32) throws {
            let folder = try TemporaryFolder()
            let temporary = folder.path + "/tmp"
            try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
            let program = try RunningProgram(
                HearthProgram.path(), ["demo", "--models", Self.slowModels(in: folder)],
                environment: ["TMPDIR": temporary])
            _ = try program.readOutput(until: "Device downloaded", seconds: 60)
            #expect(try Self.processes(mentioning: temporary).count == 1)
            program.send(signal)
            #expect(try program.waitForExit(seconds: 30).exitCode == 128 + signal)
            #expect(try Self.processes(mentioning: temporary).isEmpty)
            #expect(try FileManager.default.contentsOfDirectory(atPath: temporary) == [])
        }

        /// The demo's models with so many images that it does not end by itself while a test looks.
        private static func slowModels(in folder: TemporaryFolder) throws -> String {
            let models = folder.path + "/models"
            try FileManager.default.createDirectory(atPath: models, withIntermediateDirectories: true)
            for name in ["digits-labeler", "digits-labeler-2", "digits-detector"] {
                let bundle = TestPaths.package.appendingPathComponent("Models/" + name).path
                try FileManager.default.copyItem(atPath: bundle, toPath: models + "/" + name)
            }
            let lines = Array(repeating: "7-a.png,7", count: 100_000)
            try (["file,label"] + lines).joined(separator: "\n").write(
                toFile: models + "/digits-labeler/examples/labels.csv", atomically: true, encoding: .utf8)
            return models
        }

        /// Ids of the running programs with `text` in their arguments.
        private static func processes(mentioning text: String) throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { id in
                guard Int(id) != nil, let line = FileManager.default.contents(atPath: "/proc/\(id)/cmdline") else {
                    return false
                }
                return String(decoding: line, as: UTF8.self).contains(text)
            }
        }
    }
}

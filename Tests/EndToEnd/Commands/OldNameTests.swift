import EndToEndDriving
import HearthTestSupport
import Testing

extension EndToEndSuites {
    /// An old name is refused by both programs, and nothing is done.
    @Suite struct OldNameTests {
        private static let programs = ["hearth", "hearth-full"]

        private func refusal(_ program: String, _ arguments: [String], _ environment: [String: String] = [:]) throws
            -> ProcessResult
        {
            try RunningProgram(HearthProgram.path(program), arguments, environment: environment)
                .waitForExit(seconds: 60)
        }

        @Test(arguments: programs)
        func ofACommandOrAnOption(program: String) throws {
            for (arguments, text) in [
                (["config", "get"], "'config' is now 'remoteconfig'."),
                (["remoteconfig", "put", "template.json", "--check"], "'--check' is now '--validate-only'."),
                (["keys", "token", "end", "3c77d0", "--yes"], "'end' is now 'revoke'."),
                (
                    ["label", "digits", SampleModels.image, "--config", "app.plist"],
                    "'--config' is now '--app-config'."
                ),
            ] {
                let ending = try refusal(program, arguments)
                #expect(ending.exitCode == 2 && ending.output.isEmpty)
                #expect(ending.errors.hasPrefix("error: \(text)\n"), "\(ending.errors)")
            }
        }

        @Test func ofAVariable() throws {
            let old = ["HEARTH_CONFIG": "/nowhere/app.plist"]
            for arguments in [["pull", "digits"], ["device", "list"], ["serve", "--print-config"]] {
                let ending = try refusal("hearth-full", arguments, old)
                #expect(ending.exitCode == 2 && ending.output.isEmpty)
                #expect(ending.errors.hasPrefix("error: 'HEARTH_CONFIG' is now 'HEARTH_APP_CONFIG'.\n"))
            }
            // With the new name, the old one has no effect.
            let both = old.merging(["HEARTH_APP_CONFIG": "/nowhere/else.plist"]) { $1 }
            let ending = try refusal("hearth-full", ["device", "list"], both)
            #expect(ending.exitCode == 1 && ending.errors.contains("/nowhere/else.plist"), "\(ending.errors)")
        }
    }
}

import EndToEndDriving
import Foundation
import HearthTestSupport
import Testing

extension EndToEndSuites {
    /// Errors for programs and for people.
    @Suite struct ErrorFormTests {
        private static let programs = ["hearth", "hearth-full"]

        private func run(_ program: String, _ arguments: [String]) throws -> Ending {
            // A folder without credentials, and no server that anybody named.
            try RunningProgram(
                HearthProgram.path(program), arguments,
                environment: ["HEARTH_CREDENTIALS": "/nowhere/key.json", "HEARTH_APP_CONFIG": "/nowhere/config.plist"]
            ).end(seconds: 60)
        }

        private func told(_ ending: Ending) throws -> [String: String] {
            let object = try JSONSerialization.jsonObject(with: Data(ending.errors.utf8))
            return try #require((object as? [String: [String: String]])?["error"])
        }

        @Test(
            "whoever asks for JSON gets errors as one object, with the same exit code",
            arguments: programs,
            [
                (["label", "gone.tflite", "x.png"], 1, "FAILED"), (["label"], 2, "USAGE"), (["nonsense"], 2, "USAGE"),
                (["inspect", "gone.tflite"], 1, "FAILED"), (["models", "list"], 1, "FAILED"),
                (["device", "list"], 1, "FAILED"), (["pack", "gone"], 1, "FAILED"),
                (["pack", "gone", "--nonsense"], 2, "USAGE"),
            ] as [([String], Int32, String)])
        func json(program: String, wrong: (arguments: [String], exitCode: Int32, code: String)) throws {
            let plain = try run(program, wrong.arguments)
            let ending = try run(program, wrong.arguments + ["--json"])
            #expect(ending.exitCode == wrong.exitCode && plain.exitCode == wrong.exitCode)
            #expect(ending.output.isEmpty)
            let error = try told(ending)
            #expect(error["code"] == wrong.code)
            let message = try #require(error["message"])
            #expect(plain.errors.hasPrefix("error: \(message)\n"))
        }

        @Test("whoever asks for JSON by a former name gets the error alone, and others the name, too")
        func formerName() throws {
            #expect(try told(run("hearth-full", ["config", "get", "--json"]))["code"] == "FAILED")
            let lines = try run("hearth-full", ["config", "get"]).errors.split(separator: "\n")
            #expect(lines.count == 2 && lines.first?.hasPrefix("note: ") == true)
            #expect(lines.last?.hasPrefix("error: ") == true)
            // The variable that names an app's file, too.
            let ending = try RunningProgram(
                HearthProgram.path("hearth-full"), ["device", "list", "--json"],
                environment: ["HEARTH_CONFIG": "/nowhere/config.plist"]
            ).end(seconds: 60)
            #expect(try told(ending)["message"]?.contains("/nowhere/config.plist") == true)
        }

        @Test("usage is shown for wrong usage only, in one line", arguments: programs)
        func usage(program: String) throws {
            let wrong = try run(program, ["label", "--max", "0", "m", "x.png"]).errors.split(separator: "\n")
            #expect(
                wrong == [
                    "error: --max must be 1 or more.", "Usage: hearth label [<options>] <model> <paths> ...",
                    "  See 'hearth label --help' for more information.",
                ])
            #expect(try run(program, ["label", "gone.tflite", "x.png"]).errors.split(separator: "\n").count == 1)
        }

        @Test("a picture that is not there is named once", arguments: programs)
        func missingPicture(program: String) throws {
            let ending = try run(program, ["label", SampleModels.bundle, "nothere.jpg"])
            #expect(ending.exitCode == 1)
            #expect(ending.errors == "error: there is no file at nothere.jpg\n")
        }
    }
}

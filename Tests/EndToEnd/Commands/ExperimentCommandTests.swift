import EndToEndDriving
import Foundation
import HearthTestSupport
import HearthWire
import Testing

extension EndToEndSuites {
    /// Experiments from the command line, against a server.
    @Suite struct ExperimentCommandTests {
        private let server: ServerProcess

        init() throws {
            server = try ServerProcess()
            #expect(try server.hearth("remoteconfig", "set", "colour", "red").exitCode == 0)
        }

        private func experiments(_ arguments: [String]) throws -> ProcessResult {
            try server.hearth(["experiments"] + arguments)
        }

        /// The output of a call that succeeds.
        private func told(_ arguments: String...) throws -> String {
            let ending = try experiments(arguments)
            #expect(ending.exitCode == 0, "\(arguments): \(ending.errors)")
            return ending.output
        }

        /// The one line of a call that fails.
        private func refusal(_ arguments: String...) throws -> String {
            let ending = try experiments(arguments)
            #expect(ending.exitCode != 0 && ending.output.isEmpty && ending.errorLines.count == 1, "\(arguments)")
            return ending.errors
        }

        private func create(_ arguments: String...) throws -> ProcessResult {
            try experiments(
                ["create", "--parameter", "colour", "--values", "red,green", "--goal", "purchase"] + arguments)
        }

        @Test func fromDraftToEverybody() throws {
            #expect(try told("list").contains("There are no experiments"))
            let made = try create("--name", "colours", "--share", "20%", "--guardrail", "crash:2%:lower")
            #expect(
                made.output
                    == "Made a draft of 'colours': 20% of all devices, parameter colour, variants control, variant-1.\n",
                "\(made.errors)")
            let shown = try told("show", "colours")
            #expect(shown.contains("state:      draft\n") && shown.contains("variant-1 (50%): colour = \"green\"\n"))
            #expect(shown.contains("guardrails: crash (conversion, lower is better), at most 2% worse"))

            // The draft as a file, changed.
            let file = server.data.path + "/colours.json"
            try told("show", "colours", "--definition").replacing("0.2", with: "0.5")
                .write(toFile: file, atomically: true, encoding: .utf8)
            #expect(try told("edit", "colours", file).hasPrefix("Changed the draft of 'colours': 50% of all devices"))
            #expect(try refusal("edit", "other", file).contains("is about 'colours', not 'other'"))

            #expect(try told("start", "colours").hasPrefix("Started 'colours': 50%"))
            #expect(try refusal("edit", "colours", file).contains("only a draft can be changed"))
            #expect(try told("list").contains("running"))
            let results = try told("results", "colours")
            for text in [
                "\nRunning since ", "control          0", "Goal: purchase (conversion)", "Guardrail: crash",
                "Still needed: 'control' needs 200 installations; it has 0.",
                "Verdict: No reports yet", "Method: ",
            ] { #expect(results.contains(text), "\(text)\n\(results)") }
            #expect(try told("export", "colours").split(separator: "\n").count == 1)
            let csv = server.data.path + "/colours.csv"
            #expect(try told("export", "colours", "--output", csv) == "Wrote \(csv).\n")
            #expect(try String(contentsOfFile: csv, encoding: .utf8) == told("export", "colours"))
            #expect(try told("events").contains("There are no events"))

            #expect(try refusal("rollout", "colours", "variant-1").contains("colour = \"green\") to all devices"))
            #expect(try refusal("rollout", "colours", "blue", "--yes").contains("no variant 'blue'"))
            #expect(try refusal("delete", "colours", "--yes").contains("stop it first"))
            #expect(
                try told("rollout", "colours", "variant-1", "--yes").hasPrefix("Rolled out 'variant-1' of 'colours'"))
            #expect(try told("list").contains("rolled out"))
            #expect(try server.hearth("remoteconfig", "get").output.contains("\"green\""))
            #expect(try told("delete", "colours", "--yes") == "Deleted 'colours'.\n")
            #expect(try refusal("show", "colours").contains("no experiment 'colours'"))
        }

        @Test func stoppedWithAWinner() throws {
            #expect(try create("--name", "colours").exitCode == 0)
            #expect(try refusal("stop", "colours", "--yes").contains("not running"))
            _ = try told("start", "colours")
            #expect(try refusal("stop", "colours").contains("--yes"))
            #expect(try refusal("stop", "colours", "--winner", "blue", "--yes").contains("no variant 'blue'"))
            #expect(try told("stop", "colours", "--winner", "control", "--yes").hasPrefix("Stopped 'colours'"))
            let shown = try told("show", "colours")
            #expect(shown.contains("state:      stopped") && shown.contains("winner:     control"))
            #expect(shown.contains("UTC: stopped by "))
            #expect(try server.hearth("remoteconfig", "get").output.contains("\"red\""))
        }

        @Test func whatIsWrongIsSaid() throws {
            let audience = try create("--name", "x", "--audience", "device.country im ['CH']")
            #expect(audience.exitCode == 1 && audience.errorLines.count == 1)
            #expect(
                audience.errors.hasPrefix("device.country im ['CH']\n               ^\nerror: "), "\(audience.errors)")
            #expect(audience.errors.contains("Column 16"))

            let unknown = try experiments([
                "create", "--name", "x", "--parameter", "size", "--values", "1,2", "--goal", "purchase",
            ])
            #expect(unknown.exitCode == 0 && unknown.errors.contains("warning: The template has no parameter 'size'"))
            // A key that nobody knows would leave a default in place.
            let file = try server.data.write(
                Array(
                    """
                    {"name": "y", "shear": 0.1, "goal": {"event": "purchase", "kind": "conversion"}, "variants": [
                      {"name": "a", "parameters": {"colour": "red"}}, {"name": "b", "parameters": {"colour": "blue"}}]}
                    """.utf8), to: "y.json")
            #expect(try refusal("create", file).contains("shear"))
            let model = try experiments([
                "create", "--name", "z", "--model", "digits", "--versions", "1,2", "--goal", "kept",
            ])
            #expect(model.exitCode == 0, "\(model.errors)")
            #expect(try refusal("start", "z").contains("no model 'digits'"))
        }
    }
}

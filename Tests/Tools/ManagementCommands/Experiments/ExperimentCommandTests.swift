import Foundation
import HearthArguments
import HearthCalls
import HearthLocalCommands
import HearthTestSupport
import HearthWire
import Testing

@testable import HearthManagementCommands

@Suite struct ExperimentCommandTests {
    private func definition(_ arguments: String...) throws -> ExperimentBodies.Definition {
        try ExperimentCreateCommand.parse(arguments).definition()
    }

    @Test func aParameterIsVaried() throws {
        let made = try definition(
            "--name", "colours", "--parameter", "colour", "--values", "blue,green,red", "--goal", "purchase")
        var expected = ExperimentBodies.Definition(
            name: "colours",
            variants: [
                .init(name: "control", parameters: ["colour": "blue"]),
                .init(name: "variant-1", parameters: ["colour": "green"]),
                .init(name: "variant-2", parameters: ["colour": "red"]),
            ], goal: .init(event: "purchase", kind: "conversion"))
        #expect(made == expected)

        let full = try definition(
            "--name", "colours", "--parameter", "colour", "--values", "blue,green,red", "--goal", "wait:average",
            "--lower-is-better", "--guardrail", "crash:2%:lower", "--guardrail", "model_inference_ms:average",
            "--guardrail", "purchase:total:higher", "--share", "20%", "--audience", "device.country in ['CH']")
        expected.goal = .init(event: "wait", kind: "average", lowerIsBetter: true)
        expected.guardrails = [
            .init(metric: .init(event: "crash", kind: "conversion", lowerIsBetter: true), margin: 0.02),
            .init(metric: .init(event: "model_inference_ms", kind: "average", lowerIsBetter: true)),
            .init(metric: .init(event: "purchase", kind: "total")),
        ]
        expected.share = 0.2
        expected.audience = "device.country in ['CH']"
        #expect(full == expected)
    }

    @Test func aModelIsVaried() throws {
        let made = try definition("--name", "m", "--model", "flowers", "--versions", "3,4", "--goal", "kept")
        #expect(made.variants.map(\.models) == [["flowers": 3], ["flowers": 4]])
        #expect(made.variants.allSatisfy { $0.parameters == nil })
    }

    @Test func aliasesBecomeTheVersionsThatTheyName() throws {
        let command = try ExperimentCreateCommand.parse([
            "--name", "m", "--model", "flowers", "--versions", "champion,4", "--goal", "kept",
        ])
        #expect(command.variants.aliases == ["champion"])
        let made = try command.definition(versions: ["champion": 3])
        #expect(made.variants.map(\.models) == [["flowers": 3], ["flowers": 4]])
        // The same version twice is no experiment.
        #expect(throws: ValidationError.self) { try command.definition(versions: ["champion": 4]) }
    }

    private func refusal(_ arguments: [String]) -> String {
        do {
            _ = try ManagementProgram.parseAsRoot(["experiments"] + arguments)
            return ""
        } catch {
            return ManagementProgram.message(for: error)
        }
    }

    private static let simple = ["create", "--name", "x", "--parameter", "k", "--values", "a,b"]

    @Test(
        arguments: [
            (["create"], "Give a file, or --name"), (simple, "--goal"), (["create", "f", "--name", "x"], "not both"),
            (["create", "--name", "a b", "--goal", "e"] + simple[3...], "1 to 32 letters"),
            (["create", "--name", "x", "--goal", "e", "--parameter", "k"], "--parameter with --values"),
            (["create", "--name", "x", "--goal", "e", "--parameter", "k", "--values", "a"], "two or more"),
            (["create", "--name", "x", "--goal", "e", "--parameter", "k", "--values", "a,a"], "different"),
            (["create", "--name", "x", "--goal", "e", "--model", "m", "--versions", "1,0"], "from 1,"),
            (["create", "--name", "x", "--goal", "e", "--model", "m", "--versions", "1,Best"], "an alias such as"),
            (["create", "--name", "x", "--goal", "e", "--model", "m", "--values", "1,2"], "not both"),
            (simple + ["--goal", "e:sum"], "EVENT:KIND"), (simple + ["--goal", ""], "EVENT:KIND"),
            (simple + ["--goal", "e", "--share", "20"], "write 20%"),
            (simple + ["--goal", "e", "--share", "0%"], "more than 0%"),
            // Which way is better is never guessed.
            (simple + ["--goal", "e", "--guardrail", "crash"], "'crash:lower' or 'crash:higher'"),
            (simple + ["--goal", "e", "--guardrail", "crash:lower:higher"], "EVENT:lower"),
            (simple + ["--goal", "e", "--guardrail", "crash:2:lower"], "EVENT:lower"),
            (simple + ["--goal", "e", "--guardrail", "crash:5,55555%:lower"], "at most 4 digits behind the point"),
            (["start", "a b"], "1 to 32 letters"), (["rollout", "x"], "<variant>"),
            (["export", "x", "--json"], "`hearth experiments results x --json`"),
            (["export", "x", "--json", "--output", "-"], "`hearth experiments results x --json`"),
            (["strt", "x"], "Did you mean 'start'?"),
        ] as [([String], String)])
    func wrongArgumentsAreExplained(arguments: [String], text: String) {
        #expect(refusal(arguments).contains(text), "\(refusal(arguments))")
    }
}

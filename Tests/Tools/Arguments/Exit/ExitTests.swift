import Foundation
import Testing

@testable import HearthArguments

@Suite struct ExitTests {
    @Test func whatRunThrowsDecidesTheCode() {
        #expect(outcomeOfRunning("label", "silent") == (ExitCode(7), ""))
        #expect(outcomeOfRunning("label", "broken").code == .failure)
        #expect(outcomeOfRunning("label", "message") == (.success, "all good"))
        #expect(outcomeOfRunning("label", "wrong").code == .validationFailure)
        #expect(outcomeOfRunning("secret") == (.success, ""))
    }

    @Test func anErrorIsOneHarmlessLine() {
        #expect(
            outcomeOfRunning("label", "broken").text == "error: cannot read 'broken': \u{FFFD}[31mno such file")
    }

    @Test func aCommandThatDoesNothingShowsItsHelp() {
        #expect(outcomeOfRunning() == (.success, Kiln.helpMessage(columns: 80)))
        let list = outcomeOfRunning("models", "list", "--project=p")
        #expect(list == (.success, Kiln.helpMessage(for: Models.List.self, columns: 80)))
    }

    @Test func foundationsErrorsAreShownInWords() {
        let error = CocoaError(.fileNoSuchFile)
        #expect(Kiln.message(for: error) == error.localizedDescription)
        #expect(!Kiln.fullMessage(for: error).contains("Domain="))
        #expect(Kiln.exitCode(for: error) == .failure)
    }

    @Test func mainPrintsUsageErrorsToStandardErrorAndEndsWithTwo() async throws {
        let result = try await #require(
            processExitsWith: .exitCode(2), observing: [\.standardErrorContent, \.standardOutputContent]
        ) {
            Kiln.main(["label", "--modle"])
        }
        #expect(
            text(result.standardErrorContent).contains("error: Unknown option '--modle'. Did you mean '--model'?\n"))
        #expect(text(result.standardErrorContent).hasSuffix("\n  See 'kiln label --help' for more information.\n"))
        #expect(!text(result.standardOutputContent).contains("Usage"))
    }

    @Test func mainShowsTheUsageOfTheCommandWhoseRunRejectsItsArguments() async throws {
        let result = try await #require(processExitsWith: .exitCode(2), observing: [\.standardErrorContent]) {
            Kiln.main(["label", "wrong"])
        }
        #expect(
            text(result.standardErrorContent).contains(
                "error: Not an image: give a JPEG or PNG file\nUsage: kiln label "))
    }

    @Test func usageIsShownForWrongUsageOnlyAndInOneLine() {
        #expect(
            failure("label").text == """
                error: Missing expected argument '<image>'
                Usage: kiln label [<options>] <image> [<others> ...]
                  See 'kiln label --help' for more information.
                """)
        #expect(!outcomeOfRunning("label", "broken").text.contains("Usage"))
        let unanswered = outcomeOfRunning("label", "unanswered")
        #expect(unanswered == (.validationFailure, "error: Sure? Give --yes."))
    }

    @Test(arguments: [["label", "broken"], ["label"], ["label", "unanswered"]])
    func mainPrintsErrorsAsJSONIfTheArgumentsAskForIt(arguments: [String]) throws {
        let error = try #require(throws: (any Error).self) {
            var parsed = try CommandParser(root: Kiln.self).parse(arguments)
            do { try parsed.command.run() } catch { throw CommandError(path: parsed.path, reason: .run(error)) }
        }
        let report = ExitReport(error, root: Kiln.self, columns: nil)
        let text = report.text(.json)
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: [String: String]]
        #expect(object?["error"]?["message"] == report.message)
        #expect(object?["error"]?["code"] == (report.code == .failure ? "FAILED" : "USAGE"))
        #expect(!text.contains("\n"))
    }

    @Test func mainKnowsTheFormFromItsArguments() async throws {
        let result = try await #require(
            processExitsWith: .exitCode(1), observing: [\.standardErrorContent, \.standardOutputContent]
        ) {
            Kiln.main(["label", "coded", "--json"])
        }
        #expect(
            text(result.standardErrorContent).hasSuffix(
                #"{"error":{"code":"NOT_FOUND","message":"no such \"thing\""}}"# + "\n"))
        let plain = try await #require(processExitsWith: .exitCode(1), observing: [\.standardErrorContent]) {
            Kiln.main(["label", "coded", "--", "--json"])
        }
        #expect(text(plain.standardErrorContent).hasSuffix("error: no such \"thing\"\n"))
    }

    @Test func mainPrintsHelpToStandardOutputAndEndsWithZero() async throws {
        let result = try await #require(
            processExitsWith: .exitCode(0), observing: [\.standardErrorContent, \.standardOutputContent]
        ) {
            Kiln.main(["help", "models"])
        }
        #expect(text(result.standardOutputContent).contains("OVERVIEW: Manage models.\n"))
        #expect(!text(result.standardErrorContent).contains("OVERVIEW"))
    }

    @Test func mainEndsWithTheCommandsOwnCode() async {
        await #expect(processExitsWith: .exitCode(7)) { Kiln.main(["label", "silent"]) }
        await #expect(processExitsWith: .exitCode(1)) { Kiln.main(["label", "broken"]) }
    }
}

private func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self)
}

@Suite struct ErrorTextTests {
    @Test func aUsageErrorNamesTheProblemTheUsageAndTheWayToHelp() {
        let (code, text) = failure("models", "push", "--project=p")
        #expect(code == .validationFailure)
        #expect(code.rawValue == 2)
        #expect(
            text == """
                error: Missing expected argument '<files> ...'
                Usage: kiln models push --project <project> [<options>] <files> ...
                  See 'kiln models push --help' for more information.
                """)
    }

    @Test func missingThings() {
        #expect(message("label") == "Missing expected argument '<image>'")
        #expect(message("models", "push", "m") == "Missing expected argument '--project <project>'")
        #expect(message("label", "a", "--model") == "Missing value for '--model <model>'")
        #expect(message("label", "a", "-m") == "Missing value for '-m <model>'")
        #expect(message("label", "a", "--model", "--verbose") == "Missing value for '--model <model>'")
        #expect(message("label", "a", "--model", "--") == "Missing value for '--model <model>'")
        #expect(message("label", "a", "-mv", "x") == "Missing value for '-m <model>'")
    }

    @Test func wrongValues() {
        #expect(
            message("label", "a", "--backend", "gpu")
                == "The value 'gpu' is invalid for '--backend <backend>'. Please provide one of 'reference' or 'xnnpack'."
        )
        #expect(
            message("label", "a", "--threads", "many")
                == "The value 'many' is invalid for '--threads <threads>'. Please provide a whole number.")
        #expect(
            message("label", "a", "--top-k=65536")
                == "The value '65536' is invalid for '--top-k <count>'. Please provide a whole number from 0 to 65535.")
        #expect(
            message("label", "a", "--threshold=")
                == "The value '' is invalid for '--threshold <threshold>'. Please provide a number.")
    }

    @Test func flagsTakeNoValue() {
        #expect(message("label", "a", "--verbose=1") == "The option '--verbose' takes no value, but '1' was given")
        #expect(message("label", "a", "--no-color=") == "The option '--no-color' takes no value, but '' was given")
        #expect(message("label", "a", "-v=1") == "The option '-v' takes no value, but '1' was given")
    }

    @Test func unknownOptionsSuggestTheNearestName() {
        #expect(message("label", "a", "--modle", "x") == "Unknown option '--modle'. Did you mean '--model'?")
        #expect(message("label", "a", "--treads=1") == "Unknown option '--treads'. Did you mean '--threads'?")
        #expect(message("label", "a", "--no-colour") == "Unknown option '--no-colour'. Did you mean '--no-color'?")
        #expect(message("label", "a", "-model") == "Unknown option '-model'. Did you mean '--model'?")
        #expect(message("label", "a", "--hlep") == "Unknown option '--hlep'. Did you mean '--help'?")
        #expect(message("--versoin") == "Unknown option '--versoin'. Did you mean '--version'?")
        #expect(message("label", "a", "--elephant") == "Unknown option '--elephant'")
        #expect(message("label", "a", "-x") == "Unknown option '-x'")
    }

    @Test func hiddenOptionsWorkButAreNotSuggested() throws {
        #expect(message("label", "a", "--internal-sed=1") == "Unknown option '--internal-sed'")
        #expect(try Label.parse(["a", "--internal-seed=1"]).internalSeed == 1)
    }

    @Test func unknownSubcommandsSuggestTheNearestName() {
        #expect(message("lable") == "Unknown subcommand 'lable'. Did you mean 'label'?")
        #expect(message("help", "models", "psuh") == "Unknown subcommand 'psuh'. Did you mean 'push'?")
        #expect(message("dance") == "Unknown subcommand 'dance'")
        #expect(message("lable", "--model", "m", "a.png") == "Unknown subcommand 'lable'. Did you mean 'label'?")
        #expect(message("models", "--nothing") == "Unknown option '--nothing'")
        #expect(message("secre") == "Unknown subcommand 'secre'")
    }

    @Test func valuesTooMany() {
        #expect(message("models", "list", "--project=p", "x") == "Unexpected argument 'x'")
        #expect(message("models", "list", "--project=p", "x", "y") == "2 unexpected arguments: 'x', 'y'")
        #expect(
            message("models", "list", "--project=p", "1", "2", "3", "4", "5", "6")
                == "6 unexpected arguments: '1', '2', '3', '4', '5' ...")
    }

    @Test func validationErrorsAreUsageErrors() {
        let (code, text) = failure("label", "a", "-vq")
        #expect(code == .validationFailure)
        #expect(text.hasPrefix("error: Give either --verbose or -q, not both\nUsage: kiln label "))
        #expect(text.hasSuffix("\n  See 'kiln label --help' for more information."))
    }

    @Test func anOptionGroupValidatesItself() {
        #expect(message("models", "push", "m", "--project=") == "The project must not be empty")
    }

    @Test func controlCharactersOfTheUserDoNotReachTheTerminal() {
        #expect(message("label", "a", "--\u{1B}[2Jx\ny") == "Unknown option '--\u{FFFD}[2Jx y'")
        #expect(message("label", "a", "--threads=\u{202E}1").contains("'\u{FFFD}1'"))
    }
}

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
                "error: Not a picture: give a JPEG or PNG file\nUsage: kiln label "))
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
    func mainPrintsErrorsAsJSONToWhoeverAskedForIt(arguments: [String]) throws {
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

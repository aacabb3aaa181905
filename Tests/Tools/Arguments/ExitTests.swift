import Foundation
import HearthArguments
import Testing

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

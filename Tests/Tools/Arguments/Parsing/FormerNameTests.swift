import Testing

@testable import HearthArguments

/// Names of earlier versions work on, and are not advertised.
@Suite struct FormerNameTests {
    struct Oven: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "oven", subcommands: [Keys.self])
    }

    struct Keys: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "keys", formerNames: ["passwords"], subcommands: [Revoke.self])
    }

    struct Revoke: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "revoke", formerNames: ["end", "kill"])

        @Option(name: [.customLong("app-config"), .former("config")], help: "A file.")
        var file: String?

        @Flag(name: [.long, .former("end-tokens")], help: "Tokens, too.")
        var revokeTokens = false

        @Option(name: [.long, .former("labels")], help: "May be given several times.")
        var tags: [String] = []
    }

    private func parsed(_ arguments: String...) throws -> (command: Revoke, notes: [String]) {
        let parsed = try CommandParser(root: Oven.self).parse(arguments)
        return (try #require(parsed.command as? Revoke), parsed.notes)
    }

    @Test func aFormerCommandLeadsToThePresentOneAndANoteSaysItsName() throws {
        #expect(
            try parsed("passwords", "end").notes == [
                "'oven passwords' is now called 'oven keys'; the old name still works.",
                "'oven keys end' is now called 'oven keys revoke'; the old name still works.",
            ])
        #expect(try parsed("keys", "kill").notes.count == 1)
        #expect(try parsed("keys", "revoke").notes == [])
    }

    @Test func aFormerOptionGivesItsValueAndANoteOnce() throws {
        for (command, notes) in [
            try parsed("keys", "revoke", "--config", "f"), try parsed("keys", "revoke", "--config=f"),
        ] {
            #expect(command.file == "f")
            #expect(notes == ["'--config' is now called '--app-config'; the old name still works."])
        }
        let (command, notes) = try parsed(
            "keys", "revoke", "--end-tokens", "--labels", "a", "--labels", "b", "--tags", "c")
        #expect(command.revokeTokens && command.tags == ["a", "b", "c"])
        #expect(notes.count == 2 && notes[0].contains("'--revoke-tokens'") && notes[1].contains("'--tags'"))
    }

    @Test func neitherHelpNorSuggestionsNameThem() {
        for command in [Oven.self, Keys.self, Revoke.self] as [any ParsableCommand.Type] {
            let help = Oven.helpMessage(for: command)
            for name in ["passwords", "end", "kill", "--config", "--end-tokens", "--labels"] {
                #expect(!help.contains(" \(name)"), "\(help)")
            }
        }
        #expect(Oven.helpMessage(for: Revoke.self).contains("--app-config <app-config>"))
        for (typed, bad) in [(["keys", "enf"], "end"), (["keys", "revoke", "--confg"], "'--config'")] {
            #expect(throws: (any Error).self) { try Oven.parseAsRoot(typed) }
            do { _ = try Oven.parseAsRoot(typed) } catch { #expect(!Oven.message(for: error).contains(bad)) }
        }
    }

    @Test func helpOfAFormerNameIsThatOfThePresentOne() {
        for arguments in [["help", "passwords", "end"], ["passwords", "end", "--help"]] {
            do {
                _ = try Oven.parseAsRoot(arguments)
                Issue.record("\(arguments) is no request for help")
            } catch {
                #expect(Oven.message(for: error).contains("USAGE: oven keys revoke"))
            }
        }
    }
}

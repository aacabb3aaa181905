import Testing

@testable import HearthArguments

/// An old name does nothing. The error says the new one.
@Suite struct OldNameTests {
    struct Oven: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "oven", renamed: ["passwords": "keys"], subcommands: [Keys.self])
    }

    struct Keys: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "keys", renamed: ["end": "revoke", "kill": "revoke"], subcommands: [Revoke.self])
    }

    struct Revoke: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke", renamed: ["--config": "--app-config", "--end-tokens": "--revoke-tokens"])

        @Option(name: .customLong("app-config"), help: "A file.")
        var file: String?

        @Flag(help: "Tokens, too.")
        var revokeTokens = false
    }

    private func refusal(_ arguments: [String]) throws -> (text: String, code: ExitCode) {
        let error = try #require(throws: (any Error).self) { try Oven.parseAsRoot(arguments) }
        return (Oven.message(for: error), Oven.exitCode(for: error))
    }

    @Test(arguments: [
        (["passwords"], "'passwords' is now 'keys'."),
        (["passwords", "revoke"], "'passwords' is now 'keys'."),
        (["passwords", "--help"], "'passwords' is now 'keys'."),
        (["help", "passwords"], "'passwords' is now 'keys'."),
        (["keys", "end"], "'end' is now 'revoke'."),
        (["keys", "kill", "--revoke-tokens"], "'kill' is now 'revoke'."),
        (["help", "keys", "end"], "'end' is now 'revoke'."),
        (["keys", "revoke", "--config", "f"], "'--config' is now '--app-config'."),
        (["keys", "revoke", "--config=f"], "'--config' is now '--app-config'."),
        (["keys", "revoke", "--end-tokens"], "'--end-tokens' is now '--revoke-tokens'."),
    ])
    func isRefused(arguments: [String], text: String) throws {
        let refusal = try refusal(arguments)
        #expect(refusal.text == text)
        #expect(refusal.code == .validationFailure)
    }

    @Test func onlyItsOwnCommandRefusesIt() throws {
        #expect(try refusal(["end"]).text == "Unknown subcommand 'end'")
        #expect(try refusal(["keys", "passwords"]).text == "Unknown subcommand 'passwords'")
        // A name in the place of a value.
        let command = try Oven.parseAsRoot(["keys", "revoke", "--app-config", "end"]) as? Revoke
        #expect(command?.file == "end")
    }

    @Test func neitherHelpNorSuggestionsNameIt() throws {
        for command in [Oven.self, Keys.self, Revoke.self] as [any ParsableCommand.Type] {
            let help = Oven.helpMessage(for: command)
            for name in ["passwords", "end", "kill", "--config", "--end-tokens"] {
                #expect(!help.contains(" \(name)"), "\(help)")
            }
        }
        #expect(Oven.helpMessage(for: Revoke.self).contains("--app-config <app-config>"))
        #expect(try !refusal(["keys", "enf"]).text.contains("end"))
        #expect(try !refusal(["keys", "revoke", "--confg"]).text.contains("'--config'"))
    }
}

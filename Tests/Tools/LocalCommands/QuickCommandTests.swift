import HearthArguments
import Testing

@testable import HearthLocalCommands

@Suite struct QuickCommandTests {
    @Test(arguments: [
        (["serve", "--port", "0"], "serve"), (["help", "serve"], "serve"), (["help", "models", "push"], "models"),
        (["models"], "models"), (["probe"], "probe"), (["inspect", "--help"], "inspect"),
        (["releases", "list", "m"], "releases"), (["keys"], "keys"),
        (["remoteconfig", "get"], "remoteconfig"), (["help", "remoteconfig"], "remoteconfig"),
        (["help", "experiments"], "experiments"),
        (["help", "projects"], "projects"), (["admin", "audit"], "admin"),
    ])
    func commandsOfTheFullProgramAreHandedOver(arguments: [String], command: String) {
        #expect(QuickCommand.forwardedCommand(arguments) == command)
    }

    @Test(arguments: [
        [], ["help"], ["--help"], ["--version"], ["label", "serve", "x.png"], ["detect"], ["help", "label"],
        ["nonsense"],
        ["pack", "serve"], ["-h", "serve"], ["config", "get"], ["help", "config"],
    ])
    func allElseStaysHere(arguments: [String]) {
        #expect(QuickCommand.forwardedCommand(arguments) == nil)
    }

    @Test func helpListsEveryCommandButTheProbe() {
        let help = QuickCommand.helpMessage(columns: 100)
        for name in [
            "serve", "models", "releases", "remoteconfig", "experiments", "keys", "projects", "admin", "pack", "pull",
            "label",
            "detect", "inspect", "bench", "demo",
        ] {
            #expect(help.contains("\n  \(name) "), "\(name)")
        }
        #expect(!help.contains("probe"))
    }

    @Test func aMistypedNameIsSuggestedWhereverItsCommandIs() {
        do {
            _ = try QuickCommand.parseAsRoot(["serv"])
            Issue.record("'serv' was accepted")
        } catch {
            #expect(QuickCommand.message(for: error).contains("Did you mean 'serve'?"))
        }
    }
}

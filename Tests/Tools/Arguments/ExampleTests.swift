import HearthArguments
import Testing

@Suite struct ExampleTests {
    @Test func examplesStandAtTheEndOfHelpAsTheyAre() {
        #expect(
            Fire.helpMessage(columns: 60) == """
                OVERVIEW: Fire a pot.

                It gets hot.

                USAGE: fire <pot>

                ARGUMENTS:
                  <pot>                   The pot.

                OPTIONS:
                  -h, --help              Show help information.

                EXAMPLES:
                  fire vase
                  fire a-pot-with-a-name-that-is-far-too-long-for-such-a-narrow-window
                """)
    }

    @Test func examplesAreTheEndOfTheDiscussionForOtherLibraries() {
        let configuration = Fire.configuration
        #expect(configuration.discussion.hasPrefix("It gets hot.\n\nEXAMPLES:\n  fire vase\n"))
        #expect(configuration.examples.count == 2 && configuration.examples.first == "fire vase")
        #expect(CommandConfiguration(examples: ["a"]).discussion == "EXAMPLES:\n  a")
        #expect(CommandConfiguration(discussion: "No more.", examples: []).discussion == "No more.")
        #expect(CommandConfiguration(discussion: "No more.").examples.isEmpty)
    }
}

private struct Fire: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Fire a pot.",
        discussion: "It gets hot.",
        examples: ["fire vase", "fire a-pot-with-a-name-that-is-far-too-long-for-such-a-narrow-window"])

    @Argument(help: "The pot.")
    var pot: String
}

import Testing

@testable import HearthArguments

@Suite struct HelpTests {
    @Test func theRootListsItsSubcommands() {
        #expect(
            Kiln.helpMessage(columns: 80) == """
                OVERVIEW: Keep models warm.

                Start with 'kiln serve'.

                USAGE: kiln <subcommand>

                OPTIONS:
                  --version               Show the version.
                  -h, --help              Show help information.

                SUBCOMMANDS:
                  label                   Label an image.
                  models                  Manage models.

                  See 'kiln help <subcommand>' for detailed help.
                """)
    }

    @Test func aCommandShowsArgumentsOptionsDefaultsAndValues() {
        #expect(
            Kiln.helpMessage(for: Label.self, columns: 80) == """
                OVERVIEW: Label an image.

                USAGE: kiln label [--model <model>] [--threads <threads>] [--top-k <count>]
                       [--threshold <threshold>] [--backend <backend>] [--verbose] [-q]
                       [--color] [--no-color] <image> [<others> ...]

                ARGUMENTS:
                  <image>                 The image to label.
                  <others>                More images.

                OPTIONS:
                  -m, --model <model>     The model file.
                  -t, --threads <threads> Threads to use. (default: 2)
                  --top-k <count>         Labels to show. (default: 5)
                  --threshold <threshold> Lowest score to show. (default: 0.0)
                  --backend <backend>     What computes. (values: reference, xnnpack; default:
                                          xnnpack)
                  -v, --verbose           Say more.
                  -q                      Say less.
                  --color/--no-color      Print colours. (default: --color)
                  -h, --help              Show help information.
                """)
    }

    @Test func helpWrapsToNarrowWindows() {
        let narrow = Kiln.helpMessage(for: Label.self, columns: 50)
        #expect(narrow.contains("  --backend <backend>     What computes. (values:\n"))
        let lines = narrow.split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 50 })
        #expect(Kiln.helpMessage(columns: 40) == Kiln.helpMessage(columns: -1))
    }

    @Test func aLongLabelHasItsTextBelow() {
        #expect(
            Long.helpMessage(columns: 60) == """
                USAGE: long --name-that-is-rather-long <n>

                OPTIONS:
                  --name-that-is-rather-long <n>
                                          A text that needs more than one
                                          line to be said.
                                          And a discussion.
                  -h, --help              Show help information.
                """)
    }

    @Test func manyOptionsAreLeftToTheList() {
        #expect(Many.helpMessage(columns: 80).hasPrefix("USAGE: many --required <required> [<options>] [<file>]\n"))
    }

    @Test(arguments: [
        ["models", "push", "--help"], ["models", "push", "-h"], ["help", "models", "push"],
        ["models", "help", "push"], ["models", "push", "x", "--bogus", "--version", "--help"],
    ])
    func helpIsThereOnEveryLevel(arguments: [String]) throws {
        let expected = Kiln.helpMessage(for: Models.Push.self, columns: 80)
        #expect(expected.contains("USAGE: kiln models push "))
        let error = try #require(throws: (any Error).self) { try Kiln.parseAsRoot(arguments) }
        #expect(Kiln.fullMessage(for: error, columns: 80) == expected)
        #expect(Kiln.exitCode(for: error) == .success)
    }

    @Test func helpOfACommandWithADefaultIsItsOwn() {
        let expected = """
            OVERVIEW: Manage models.

            USAGE: kiln models <subcommand>

            OPTIONS:
              -h, --help              Show help information.

            SUBCOMMANDS:
              list (default)          List models.
              push                    Publish a model.

              See 'kiln help models <subcommand>' for detailed help.
            """
        #expect(failure("models", "--help").text == expected)
        #expect(failure("help", "models").text == expected)
        #expect(failure("models", "-h").text == expected)
    }

    @Test func theVersionIsShownAtTheRootOnly() {
        #expect(failure("--version") == (.success, "1.2.3"))
        #expect(message("label", "--version").hasPrefix("Unknown option '--version'"))
        #expect(message("models", "push", "--version", "x", "--project=p", "m").hasPrefix("The value 'x' is invalid"))
    }

    @Test func afterTheTerminatorHelpIsAValue() throws {
        #expect(try Label.parse(["--", "--help"]).image == "--help")
    }

    @Test func ownNamesBeatTheBuiltInOnes() throws {
        #expect(try Own.parse(["-h", "example.org"]).host == "example.org")
        #expect(Own.helpMessage(columns: 80).contains("\n  --help                  Show help information."))
        #expect(Renamed.helpMessage(columns: 80).contains("\n  -?                      Show help information."))
    }

    @Test func anExplicitUsageReplacesTheGeneratedOne() {
        #expect(Renamed.helpMessage(columns: 80).hasPrefix("USAGE: renamed [anything]\n"))
    }

    @Test func namesComeFromTheTypesAndProperties() {
        #expect(
            OutputURLWriter.helpMessage(columns: 80).contains("USAGE: output-url-writer [--http-port2 <http-port2>]"))
    }
}

private struct Long: ParsableCommand {
    @Option(
        help: ArgumentHelp(
            "A text that needs more than one line to be said.", discussion: "And a discussion.", valueName: "n"))
    var nameThatIsRatherLong: String
}

private struct Many: ParsableCommand {
    @Option var required: Int
    @Argument var file: String?
    @Flag var a1 = false
    @Flag var a2 = false
    @Flag var a3 = false
    @Flag var a4 = false
    @Flag var a5 = false
    @Flag var a6 = false
    @Flag var a7 = false
    @Flag var a8 = false
    @Flag var a9 = false
    @Flag var b1 = false
    @Flag var b2 = false
    @Flag var b3 = false
}

private struct Own: ParsableCommand {
    @Option(name: .shortAndLong) var host: String
}

private struct Renamed: ParsableCommand {
    static let configuration = CommandConfiguration(usage: "renamed [anything]", helpNames: .customShort("?"))
}

private struct OutputURLWriter: ParsableCommand {
    @Option var httpPort2: Int?
}

@Suite struct HelpColumnsTests {
    @Test func theEnvironmentDecidesTheWidthWithinReason() {
        #expect(HelpColumns.resolve(nil, environment: [:]) == 80)
        #expect(HelpColumns.resolve(nil, environment: ["COLUMNS": "120"]) == 120)
        #expect(HelpColumns.resolve(100, environment: ["COLUMNS": "120"]) == 100)
        #expect(HelpColumns.resolve(nil, environment: ["COLUMNS": "3"]) == 40)
        #expect(HelpColumns.resolve(nil, environment: ["COLUMNS": "wide"]) == 80)
    }
}

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

import HearthArguments
import Testing

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

package import HearthArguments
import HearthWire

/// What `hearth` says of itself, whichever of its two programs runs.
package enum ProgramConfiguration {
    package static func make(subcommands: [any ParsableCommand.Type]) -> CommandConfiguration {
        CommandConfiguration(
            commandName: "hearth",
            abstract: "Host TensorFlow Lite models, ship them to apps and devices, and run them.",
            discussion: """
                Exit codes: 0 good, 1 failed, 2 wrong usage. With --json an error is an object, the last line of standard \
                error: {"error": {"code": text, "message": text}}. NO_COLOR switches the colours off.
                """,
            examples: [
                "hearth serve",
                "hearth models push flowers flowers.tflite --publish",
                "hearth label flowers rose.jpg",
            ],
            version: HearthVersion.text,
            subcommands: subcommands)
    }
}

extension ParsableCommand {
    /// Runs the command that the program's arguments name. Ends the program unless all went well.
    package static func runAsProgram() {
        main(nil)
        do {
            try Output.checkNothingWasLost()
        } catch {
            exit(withError: error)
        }
    }
}

import CBuildInfo
package import HearthArguments
import HearthWire

/// The description of `hearth`, for both programs.
package enum ProgramConfiguration {
    /// The version, with what distinguishes this build: `0.1.0 (commit 0d682b54, LiteRT 2.3.0)`.
    static var versionText: String {
        let commit = String(cString: hearth_build_commit())
        let parts = (commit.isEmpty ? [] : ["commit \(commit.prefix(12))"]) + [HearthVersion.engine]
        return "\(HearthVersion.text) (\(parts.joined(separator: ", ")))"
    }

    /// - Parameter subcommands: those that the program itself runs.
    package static func make(subcommands: [any ParsableCommand.Type]) -> CommandConfiguration {
        CommandConfiguration(
            commandName: "hearth",
            renamed: ["config": "remoteconfig"],
            abstract: "Host TensorFlow Lite models, ship them to apps and devices, and run them.",
            discussion: """
                Exit codes: 0 success, 1 failure, 2 wrong usage. With --json an error is an object, the last line of standard \
                error: {"error": {"code": text, "message": text}}. NO_COLOR switches the colours off.
                """,
            examples: [
                "hearth serve",
                "hearth models push flowers flowers.tflite --publish",
                "hearth label flowers rose.jpg",
            ],
            version: versionText,
            subcommands: subcommands,
            listing: CommandSummary.all)
    }
}

extension ParsableCommand {
    /// Runs the command that the program's arguments name, and ends the program if it fails.
    package static func runAsProgram() {
        main(nil)
        do {
            try Output.checkAllWasWritten()
        } catch {
            exit(withError: error)
        }
    }
}

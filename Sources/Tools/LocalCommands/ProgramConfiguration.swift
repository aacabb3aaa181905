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
            subcommands: subcommands)
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

/// The name and the purpose of a command that only the full program has. The quick program lists it, too.
package struct CommandSummary: Sendable {
    package let name: String
    package let abstract: String

    package static let serve = CommandSummary(name: "serve", abstract: "Run the server.")
    package static let follow = CommandSummary(
        name: "follow",
        abstract: "Run a server that copies another one and answers its devices, for a site or as a standby.")
    package static let console = CommandSummary(
        name: "console", abstract: "Open the web console in a browser, and manage who is signed in.")
    package static let models = CommandSummary(name: "models", abstract: "Manage the models on a server.")
    package static let releases = CommandSummary(
        name: "releases", abstract: "Roll out model versions to devices.")
    package static let remoteConfig = CommandSummary(
        name: "remoteconfig", abstract: "Manage Remote Config: the parameters that devices fetch.")
    package static let experiments = CommandSummary(
        name: "experiments", abstract: "Compare versions of a model, or values of parameters, on devices.")
    package static let keys = CommandSummary(
        name: "keys", abstract: "Manage API keys of apps, service accounts and admin tokens.")
    package static let status = CommandSummary(
        name: "status", abstract: "Show what is going on: rollouts, experiments, and what failed.")
    package static let search = CommandSummary(
        name: "search", abstract: "Find models, parameters, conditions and experiments by name.")
    package static let projects = CommandSummary(name: "projects", abstract: "Manage the projects on a server.")
    package static let admin = CommandSummary(
        name: "admin", abstract: "Back up, restore and verify a server; show the audit log.")
    package static let importing = CommandSummary(
        name: "import", abstract: "Bring models from another host to a server.")
    package static let migrate = CommandSummary(
        name: "migrate", abstract: "Check what an app needs to leave Firebase.")
    package static let pull = CommandSummary(name: "pull", abstract: "Download a published model, as a device does.")
    package static let device = CommandSummary(name: "device", abstract: "Manage the models on this device.")
    package static let inspect = CommandSummary(
        name: "inspect", abstract: "Show a model's inputs and outputs, and validate it.")
    package static let demo = CommandSummary(
        name: "demo", abstract: "Run a full example: publish, download, run and update a model.")
    package static let probe = CommandSummary(
        name: "probe", abstract: "Validate the model on file descriptor 3 in a sandbox.")
}

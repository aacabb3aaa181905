public import HearthArguments

/// `hearth`: the one program.
public struct HearthCommand: ParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "hearth",
        abstract: "Host TensorFlow Lite models, ship them to apps and devices, and run them.",
        discussion: """
            Exit codes: 0 good, 1 failed, 2 wrong usage.
            """,
        version: Version.text,
        subcommands: [
            ServeCommand.self, ModelsCommand.self, PackCommand.self, PullCommand.self, LabelCommand.self,
            InspectCommand.self, BenchCommand.self, DemoCommand.self, ProbeCommand.self,
        ])

    public init() {}

    /// Runs the command that the program's arguments name. Ends the program unless all went well.
    public static func main() {
        main(nil)
        do {
            try Output.checkNothingWasLost()
        } catch {
            exit(withError: error)
        }
    }
}

enum Version {
    static let text = "0.1.0"
}

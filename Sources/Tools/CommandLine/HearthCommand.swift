package import HearthArguments
import HearthLocalCommands

/// `hearth` with all its commands.
package struct HearthCommand: ParsableCommand {
    package static let configuration = ProgramConfiguration.make(subcommands: [
        ServeCommand.self, FollowCommand.self, ConsoleCommand.self, ModelsCommand.self, ReleasesCommand.self,
        ConfigCommand.self,
        ExperimentsCommand.self, StatusCommand.self, SearchCommand.self, KeysCommand.self, ProjectsCommand.self,
        AdminCommand.self, ImportCommand.self, MigrateCommand.self, PackCommand.self, PullCommand.self,
        DeviceCommand.self,
        LabelCommand<DownloadedModels>.self, DetectCommand<DownloadedModels>.self,
        InspectCommand.self, BenchCommand.self, DemoCommand.self, ProbeCommand.self,
    ])

    package init() {}

    /// Runs the command that the program's arguments name, and ends the program if it fails.
    package static func main() { runAsProgram() }
}

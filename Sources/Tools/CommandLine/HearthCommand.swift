package import HearthArguments
import HearthDeviceCommands
import HearthLocalCommands
import HearthManagementCommands
import HearthMigrationCommands
import HearthOperatorCommands

/// `hearth` with all its commands.
package struct HearthCommand: ParsableCommand {
    package static let configuration = ProgramConfiguration.make(subcommands: subcommands)

    /// In the order of the help.
    private static var subcommands: [any ParsableCommand.Type] {
        var commands: [any ParsableCommand.Type] = OperatorCommands.serving
        commands += ManagementCommands.all
        commands += [OperatorCommands.admin]
        commands += MigrationCommands.all
        commands += [PackCommand.self]
        commands += DeviceCommands.all
        commands += [LabelCommand<DownloadedModels>.self, DetectCommand<DownloadedModels>.self]
        commands += [OperatorCommands.inspect, BenchCommand.self, DeviceCommands.demo, OperatorCommands.probe]
        return commands
    }

    package init() {}

    /// Runs the command that the program's arguments name, and ends the program if it fails.
    package static func main() { runAsProgram() }
}

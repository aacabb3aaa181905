import HearthArguments
import HearthLocalCommands
import HearthManagementCommands

/// `hearth` with the commands of this module alone.
struct ManagementProgram: ParsableCommand {
    static let configuration = ProgramConfiguration.make(subcommands: ManagementCommands.all)
}

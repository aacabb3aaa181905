import Foundation
import HearthArguments
import HearthLocalCommands
import HearthManagementCommands

struct AdminCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: CommandSummary.admin.name,
        abstract: CommandSummary.admin.abstract,
        examples: [
            "hearth admin backup backups/monday",
            "hearth admin verify",
        ],
        subcommands: [
            BackupCommand.self, RestoreCommand.self, VerifyCommand.self, CopyCommand.self, ReadOnlyCommand.self,
            CleanCommand.self,
        ] + ManagementCommands.belowAdmin)
}

/// The data folder that a command works on, on the server's machine.
struct DataOption: ParsableArguments {
    @Option(
        name: .customLong("data"),
        help: ArgumentHelp(
            "Data folder of the server.", discussion: "Default: the folder that HEARTH_DATA names, else hearth-data.",
            valueName: "folder"))
    var given: String?

    var path: String { given ?? ProcessInfo.processInfo.environment["HEARTH_DATA"] ?? "hearth-data" }
}

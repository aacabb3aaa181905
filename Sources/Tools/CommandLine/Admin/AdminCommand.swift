import HearthArguments
import HearthLocalCommands

struct AdminCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: CommandSummary.admin.name,
        abstract: CommandSummary.admin.abstract,
        examples: [
            "hearth admin backup backups/monday",
            "hearth admin verify",
        ],
        subcommands: [
            BackupCommand.self, RestoreCommand.self, VerifyCommand.self, CleanCommand.self, AuditCommand.self,
        ])
}

import HearthArguments
import HearthLocalCommands

struct AdminCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: CommandSummary.admin.name,
        abstract: CommandSummary.admin.abstract,
        subcommands: [
            BackupCommand.self, RestoreCommand.self, VerifyCommand.self, CleanCommand.self, AuditCommand.self,
        ])
}

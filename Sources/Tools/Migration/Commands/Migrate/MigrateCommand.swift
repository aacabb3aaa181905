import HearthArguments
import HearthLocalCommands

struct MigrateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: CommandSummary.migrate.name, abstract: CommandSummary.migrate.abstract,
        examples: ["hearth migrate check ~/src/flowers-ios"],
        subcommands: [MigrateCheckCommand.self])
}

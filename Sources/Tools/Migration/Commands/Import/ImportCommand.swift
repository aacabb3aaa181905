import HearthArguments
import HearthLocalCommands

struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: CommandSummary.importing.name,
        abstract: CommandSummary.importing.abstract,
        examples: ["hearth import firebase hosted_models --dry-run"],
        subcommands: [ImportFirebaseCommand.self])
}

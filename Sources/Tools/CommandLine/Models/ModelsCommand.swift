import HearthArguments
import HearthLocalCommands

struct ModelsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: CommandSummary.models.name,
        abstract: CommandSummary.models.abstract,
        subcommands: [
            PushCommand.self, ModelListCommand.self, ModelShowCommand.self, VersionsCommand.self, PublishCommand.self,
            UnpublishCommand.self, ModelTagCommand.self, ModelRenameCommand.self, ModelSetCommand.self,
            ModelDeleteCommand.self, UploadsCommand.self,
        ])
}

import HearthArguments
import HearthLocalCommands

struct ModelsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: CommandSummary.models.name,
        abstract: CommandSummary.models.abstract,
        examples: [
            "hearth models push flowers flowers.tflite --publish",
            "hearth models list",
            "hearth models versions flowers",
        ],
        subcommands: [
            PushCommand.self, ModelListCommand.self, ModelShowCommand.self, VersionsCommand.self, PublishCommand.self,
            UnpublishCommand.self, ModelTagCommand.self, ModelRenameCommand.self, ModelSetCommand.self,
            ModelDeleteCommand.self, UploadsCommand.self,
        ])
}

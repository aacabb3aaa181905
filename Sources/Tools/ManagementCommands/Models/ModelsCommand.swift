import HearthAdmin
import HearthArguments
import HearthCalls
import HearthCatalog
import HearthLocalCommands
import HearthWire

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
            PushCommand.self, ModelListCommand.self, ModelShowCommand.self, VersionsCommand.self,
            ModelAliasCommand.self, ModelAliasesCommand.self, ModelNoteCommand.self,
            ModelTryCommand.self, ModelCompareCommand.self,
            ModelDevicesCommand.self, ModelHealthCommand.self,
            PublishCommand.self,
            UnpublishCommand.self, ModelTagCommand.self, ModelRenameCommand.self, ModelSetCommand.self,
            ModelImagesCommand.self, ModelGateCommand.self, RehearseCommand.self, ModelDeleteCommand.self,
            UploadsCommand.self,
        ])
}

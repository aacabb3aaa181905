import HearthArguments
import HearthCatalog
import HearthLocalCommands

struct ExperimentsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: CommandSummary.experiments.name,
        abstract: CommandSummary.experiments.abstract,
        discussion: """
            An experiment gives its variants to parts of the installations that chance decides, and measures what happens \
            by the events that apps log.
            """,
        examples: [
            "hearth experiments create --name colours --parameter button --values red,blue --goal purchase",
            "hearth experiments start colours",
            "hearth experiments results colours",
        ],
        subcommands: [
            ExperimentListCommand.self, ExperimentShowCommand.self, ExperimentCreateCommand.self,
            ExperimentEditCommand.self, ExperimentStartCommand.self, ExperimentResultsCommand.self,
            ExperimentStopCommand.self, ExperimentRollOutCommand.self, ExperimentExportCommand.self,
            ExperimentDeleteCommand.self, ExperimentEventsCommand.self,
        ])
}

/// An experiment named on the command line.
struct ExperimentName: ParsableArguments {
    @Argument(help: "Name of the experiment.")
    var name: String

    func validate() throws { try Self.check(name) }

    static func check(_ name: String) throws(ValidationError) {
        guard Names.isDisplayName(name) else {
            throw ValidationError(
                "An experiment's name has 1 to 32 letters, digits, hyphens or underscores: '\(name)'.")
        }
    }
}

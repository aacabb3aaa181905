import HearthAdmin
import HearthArguments
import HearthCalls
import HearthCatalog
import HearthLocalCommands
import HearthWire

struct ExperimentsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: CommandSummary.experiments.name,
        renamed: ["roll-out": "rollout"],
        abstract: CommandSummary.experiments.abstract,
        discussion: """
            An experiment gives each installation one of its variants, drawn by chance. It measures the effect by the events \
            that apps log.
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
            ExperimentDeleteCommand.self, ExperimentEventsCommand.self, ExperimentPinCommand.self,
            ExperimentPinsCommand.self, ExperimentUnpinCommand.self,
        ])
}

/// An experiment named on the command line.
struct ExperimentName: ParsableArguments {
    @Argument(help: "Name of the experiment.")
    var name: String

    func validate() throws { try Self.check(name) }

    static func check(_ name: String) throws(ValidationError) {
        guard WireNames.isDisplayName(name) else {
            throw ValidationError(
                "An experiment's name must have 1 to 32 letters, digits, hyphens or underscores: '\(name)'.")
        }
    }
}

struct ExperimentListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the experiments, newest first.",
        examples: [
            "hearth experiments list",
            "hearth experiments list --json",
        ])

    @OptionGroup var tables: TableOption
    @OptionGroup var admin: AdminOptions

    func run() throws {
        let experiments = try admin.client().experiments()
        if admin.json { return try Output.json(ExperimentBodies.List(experiments: experiments)) }
        guard !experiments.isEmpty else {
            return Output.line("There are no experiments. Try: hearth experiments create --help")
        }
        var table = ExperimentSummary.table
        for experiment in experiments { table.append(ExperimentSummary(experiment).row) }
        Output.line(table.text(width: tables.width))
    }
}

struct ExperimentShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show one experiment.",
        examples: [
            "hearth experiments show colours",
            "hearth experiments show colours --definition > colours.json",
        ])

    @OptionGroup var experiment: ExperimentName

    @Flag(help: "Print its definition as JSON, in the form for create and edit.")
    var definition = false

    @OptionGroup var admin: AdminOptions

    func run() throws {
        let found = try admin.client().experiment(experiment.name)
        if definition {
            return Output.line(String(decoding: try WireJSON.encodePretty(found.definition), as: UTF8.self))
        }
        if admin.json { return try Output.json(found) }
        for line in ExperimentSummary(found).lines { Output.line(line) }
    }
}

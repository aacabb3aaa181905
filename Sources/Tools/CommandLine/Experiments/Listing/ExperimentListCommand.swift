import HearthArguments
import HearthLocalCommands
import HearthWire

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
            return Output.line("There is no experiment yet. Try: hearth experiments create --help")
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

    @Flag(help: "Print its definition as JSON, as create and edit read it.")
    var definition = false

    @OptionGroup var admin: AdminOptions

    func run() throws {
        let found = try admin.client().experiment(experiment.name)
        if definition { return Output.line(String(decoding: try PrettyJSON.encode(found.definition), as: UTF8.self)) }
        if admin.json { return try Output.json(found) }
        for line in ExperimentSummary(found).lines { Output.line(line) }
    }
}

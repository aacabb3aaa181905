import HearthArguments
import HearthLocalCommands
import HearthWire

struct ExperimentEditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change an experiment that has not started to what a file says.",
        examples: ["hearth experiments edit colours colours.json"])

    @OptionGroup var experiment: ExperimentName

    @Argument(help: "File with the experiment as JSON.")
    var file: String

    @OptionGroup var admin: AdminOptions

    func run() throws {
        let found = try ExperimentFile(file)
        guard found.definition.name == experiment.name else {
            throw CommandFailure(
                "\(file) is about '\(found.definition.name)', not '\(experiment.name)'; an experiment keeps its name.")
        }
        let client = try admin.client()
        let changed = try DefinitionSending(audience: found.definition.audience).send {
            try client.replaceExperiment(experiment.name, found.bytes)
        }
        try ExperimentReport(admin: admin).print(changed, "Changed the draft of")
    }
}

import HearthArguments
import HearthLocalCommands

struct ExperimentStartCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "start",
        abstract: "Start an experiment. From then on its definition cannot be changed.",
        examples: ["hearth experiments start colours"])

    @OptionGroup var experiment: ExperimentName
    @Flag(
        help: "Give a version out although its contract differs from the released version's and the model refuses that."
    )
    var allowContractChange = false

    @Flag(help: "Give a version out although it crashed the engine when the server ran it.")
    var allowCrashing = false

    @OptionGroup var admin: AdminOptions

    func run() throws {
        try ExperimentReport(admin: admin).print(
            admin.client().startExperiment(
                experiment.name, allowContractChange: allowContractChange, allowCrashing: allowCrashing), "Started")
    }
}

import HearthArguments
import HearthLocalCommands

struct ExperimentStartCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "start",
        abstract: "Start an experiment. From then on its definition cannot be changed.")

    @OptionGroup var experiment: ExperimentName
    @OptionGroup var admin: AdminOptions

    func run() throws {
        try ExperimentReport(admin: admin).print(admin.client().startExperiment(experiment.name), "Started")
    }
}

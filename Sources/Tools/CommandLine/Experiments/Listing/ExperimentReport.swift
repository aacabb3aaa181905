import HearthLocalCommands
import HearthWire

/// How commands report an experiment that they made or changed.
struct ExperimentReport {
    let admin: AdminOptions

    func print(_ experiment: ExperimentBodies.Experiment, _ verb: String) throws {
        if admin.json { return try Output.json(experiment) }
        Output.success("\(verb) \(ExperimentSummary(experiment).sentence).")
        for warning in experiment.warnings ?? [] { Output.note("warning: \(warning.printable)") }
    }
}

import HearthAdmin
import HearthArguments
import HearthLocalCommands
import HearthWire

struct ExperimentStartCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "start",
        abstract: "Start an experiment. Its definition cannot change any more.",
        examples: ["hearth experiments start colours"])

    @OptionGroup var experiment: ExperimentName
    @Flag(
        help: "Allow a version whose contract differs from the released version's, although the model refuses that."
    )
    var allowContractChange = false

    @Flag(help: "Allow a version that crashed the engine when the server ran it.")
    var allowCrashing = false

    @Flag(help: "Allow a version whose rehearsal is missing, or shows less than the model requires.")
    var allowFailedRehearsal = false

    @OptionGroup var admin: AdminOptions

    func run() throws {
        try ExperimentOutput(admin: admin).print(
            admin.client().startExperiment(
                experiment.name, allowContractChange: allowContractChange, allowCrashing: allowCrashing,
                allowFailedRehearsal: allowFailedRehearsal), "Started")
    }
}

struct ExperimentStopCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop",
        abstract: "Stop an experiment for good: all devices get the usual version or value again.",
        discussion: "Its results stay. You can still roll out a variant afterwards: hearth experiments rollout.",
        examples: [
            "hearth experiments stop colours --yes",
            "hearth experiments stop colours --winner blue",
        ])

    @OptionGroup var experiment: ExperimentName

    @Option(help: ArgumentHelp("Record this variant as the winner. It is not rolled out.", valueName: "variant"))
    var winner: String?

    @OptionGroup var confirmation: ConfirmationOption
    @OptionGroup var admin: AdminOptions

    func run() throws {
        let client = try admin.client()
        try confirmation.require("Stop the experiment '\(experiment.name)'? It cannot be started again.")
        let stopped = try client.stopExperiment(experiment.name, winner: winner)
        try ExperimentOutput(admin: admin).print(stopped, "Stopped")
    }
}

struct ExperimentRollOutCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollout",
        abstract: "Give a variant to all devices of the audience, and end the experiment.",
        discussion:
            "Gives the template's parameters the variant's values, or releases the variant's version of the model.",
        examples: ["hearth experiments rollout colours blue"])

    @OptionGroup var experiment: ExperimentName

    @Argument(help: "Name of the variant.")
    var variant: String

    @Flag(
        help:
            "Release a version whose contract differs from the released version's, although the model refuses that.")
    var allowContractChange = false

    @Flag(help: "Release a version that crashed the engine when the server ran it.")
    var allowCrashing = false

    @Flag(help: "Release a version whose rehearsal is missing, or shows less than the model requires.")
    var allowFailedRehearsal = false

    @OptionGroup var confirmation: ConfirmationOption
    @OptionGroup var admin: AdminOptions

    func run() throws {
        let client = try admin.client()
        let summary = ExperimentSummary(try client.experiment(experiment.name))
        guard let changes = summary.changes(of: variant) else {
            throw CommandFailure(
                "'\(experiment.name)' has no variant '\(variant)'. `hearth experiments show \(experiment.name)` lists the variants."
            )
        }
        try confirmation.require(
            "Roll out '\(variant)' of '\(experiment.name)' (\(changes)) to \(summary.audience), and end the experiment?"
        )
        let ended = try client.rollOutExperiment(
            experiment.name, variant: variant, allowContractChange: allowContractChange, allowCrashing: allowCrashing,
            allowFailedRehearsal: allowFailedRehearsal)
        try ExperimentOutput(admin: admin).print(ended, "Rolled out '\(variant)' of")
    }
}

struct ExperimentDeleteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete an experiment that is not running, with its results.",
        examples: ["hearth experiments delete colours"])

    @OptionGroup var experiment: ExperimentName
    @OptionGroup var confirmation: ConfirmationOption
    @OptionGroup var admin: AdminOptions

    func run() throws {
        let client = try admin.client()
        try confirmation.require(
            "Delete the experiment '\(experiment.name)' with its results? `hearth experiments export` writes them to a file."
        )
        try client.deleteExperiment(experiment.name)
        if admin.json { return try Output.json(["deleted": experiment.name]) }
        Output.success("Deleted '\(experiment.name)'.")
    }
}

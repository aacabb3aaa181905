import HearthAdmin
import HearthArguments
import HearthLocalCommands
import HearthWire

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

struct ExperimentStopCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop",
        abstract: "End an experiment for good: everybody gets what they would get without it.",
        discussion: "Its results stay. A variant can still be rolled out afterwards: hearth experiments rollout.",
        examples: [
            "hearth experiments stop colours --yes",
            "hearth experiments stop colours --winner blue",
        ])

    @OptionGroup var experiment: ExperimentName

    @Option(help: ArgumentHelp("Note that this variant won; it is not rolled out.", valueName: "variant"))
    var winner: String?

    @OptionGroup var confirmation: ConfirmationOption
    @OptionGroup var admin: AdminOptions

    func run() throws {
        let client = try admin.client()
        try confirmation.require("Stop the experiment '\(experiment.name)'? It cannot be started again.")
        let stopped = try client.stopExperiment(experiment.name, winner: winner)
        try ExperimentReport(admin: admin).print(stopped, "Stopped")
    }
}

struct ExperimentRollOutCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollout",
        formerNames: ["roll-out"],
        abstract: "Give a variant to all devices that the experiment was for, and end the experiment.",
        discussion: "Changes the template's parameters, or releases the model's version, as the variant has them.",
        examples: ["hearth experiments rollout colours blue"])

    @OptionGroup var experiment: ExperimentName

    @Argument(help: "Name of the variant.")
    var variant: String

    @Flag(
        help:
            "Release the version although its contract differs from the released version's and the model refuses that.")
    var allowContractChange = false

    @Flag(help: "Release the version although it crashed the engine when the server ran it.")
    var allowCrashing = false

    @OptionGroup var confirmation: ConfirmationOption
    @OptionGroup var admin: AdminOptions

    func run() throws {
        let client = try admin.client()
        let summary = ExperimentSummary(try client.experiment(experiment.name))
        guard let changes = summary.changes(of: variant) else {
            throw CommandFailure(
                "'\(experiment.name)' has no variant '\(variant)'. `hearth experiments show \(experiment.name)` shows them."
            )
        }
        try confirmation.require(
            "Roll out '\(variant)' of '\(experiment.name)' (\(changes)) to \(summary.audience), and end the experiment?"
        )
        let ended = try client.rollOutExperiment(
            experiment.name, variant: variant, allowContractChange: allowContractChange, allowCrashing: allowCrashing)
        try ExperimentReport(admin: admin).print(ended, "Rolled out '\(variant)' of")
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
            "Delete the experiment '\(experiment.name)' with its results? hearth experiments export keeps them in a file."
        )
        try client.deleteExperiment(experiment.name)
        if admin.json { return try Output.json(["deleted": experiment.name]) }
        Output.success("Deleted '\(experiment.name)'.")
    }
}

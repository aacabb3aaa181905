import HearthAdmin
import HearthArguments
import HearthWire

struct ExperimentPinCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pin",
        abstract: "Give chosen devices a variant while the experiment runs.",
        discussion: """
            Whatever the audience and the share of the experiment are. For the devices of testers, at most 1,000 pins in a \
            project. A pinned installation does not count in the results of experiments.
            """,
        examples: [
            "hearth experiments pin colours --installation cJ3kd82_TnaVx0q9ZpLw7e --variant blue",
            "hearth experiments pin colours --tag qa --variant blue",
        ])

    @OptionGroup var experiment: ExperimentName
    @OptionGroup var devices: PinnedDevices

    @Option(help: ArgumentHelp("Variant that the devices get.", valueName: "name"))
    var variant: String

    @OptionGroup var admin: AdminOptions

    func run() throws {
        let client = try admin.client()
        let pins = try devices.all.map {
            try client.pin($0, toVariant: variant, ofExperiment: experiment.name)
        }
        try PinReport(admin: admin, name: experiment.name).print(pins, "Pinned")
    }
}

struct ExperimentPinsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pins", abstract: "List the pins of an experiment, newest first.",
        examples: ["hearth experiments pins colours"])

    @OptionGroup var experiment: ExperimentName
    @OptionGroup var tables: TableOption
    @OptionGroup var admin: AdminOptions

    func run() throws {
        let client = try admin.client()
        let pins = try client.pins(ofExperiment: experiment.name)
        try PinReport(admin: admin, name: experiment.name).list(
            pins, width: tables.width, project: client.project())
    }
}

struct ExperimentUnpinCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unpin",
        abstract: "Remove a pin: the devices draw their variant by chance again.",
        discussion: "Takes the id of an installation, or its name in the list of pins.",
        examples: ["hearth experiments unpin colours --tag qa"])

    @OptionGroup var experiment: ExperimentName
    @OptionGroup var devices: PinnedDevices
    @OptionGroup var admin: AdminOptions

    func run() throws {
        let client = try admin.client()
        let pins = try devices.all.map { try client.unpin($0, fromExperiment: experiment.name) }
        try PinReport(admin: admin, name: experiment.name).print(pins, "Unpinned")
    }
}

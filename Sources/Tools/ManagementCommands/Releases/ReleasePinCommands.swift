import HearthAdmin
import HearthArguments
import HearthWire

struct ReleasePinCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pin",
        abstract: "Give chosen devices a version before any release or experiment applies.",
        discussion: """
            For the devices of testers, at most 1,000 pins in a project. A pinned installation does not count in the results of \
            experiments. To pin a variant: hearth experiments pin.
            """,
        examples: [
            "hearth releases pin flowers --installation cJ3kd82_TnaVx0q9ZpLw7e --version 3",
            "hearth releases pin flowers --tag qa --version 3",
        ])

    @OptionGroup var model: ModelName
    @OptionGroup var devices: PinnedDevices

    @Option(help: ArgumentHelp("Version that the devices get: a number or an alias.", valueName: "version"))
    var version: VersionArgument

    @Flag(help: "Pin a version that crashed the engine when the server ran it.")
    var allowCrashing = false

    @OptionGroup var admin: AdminOptions

    func run() throws {
        let client = try admin.client()
        let name = try model.find(client).resourceName()
        let version = try version.number(of: name, client)
        let pins = try devices.all.map {
            try client.pin($0, to: version, of: name, allowCrashing: allowCrashing)
        }
        try PinReport(admin: admin, name: model.name).print(pins, "Pinned")
    }
}

struct ReleasePinsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pins",
        abstract: "List the pins of a model, newest first.",
        discussion: "Installations have the names that logs use, because an id is as good as a password.",
        examples: ["hearth releases pins flowers"])

    @OptionGroup var model: ModelName
    @OptionGroup var tables: TableOption
    @OptionGroup var admin: AdminOptions

    func run() throws {
        let client = try admin.client()
        let pins = try client.pins(of: model.find(client).resourceName())
        try PinReport(admin: admin, name: model.name).list(pins, width: tables.width, project: client.project())
    }
}

struct ReleaseUnpinCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unpin",
        abstract: "Remove a pin: the devices get what releases and experiments say again.",
        discussion: "Takes the id of an installation, or its name in the list of pins.",
        examples: [
            "hearth releases unpin flowers --installation device:5a1e90c41d77",
            "hearth releases unpin flowers --tag qa",
        ])

    @OptionGroup var model: ModelName
    @OptionGroup var devices: PinnedDevices
    @OptionGroup var admin: AdminOptions

    func run() throws {
        let client = try admin.client()
        let name = try model.find(client).resourceName()
        let pins = try devices.all.map { try client.unpin($0, from: name) }
        try PinReport(admin: admin, name: model.name).print(pins, "Unpinned")
    }
}

import HearthArguments
import HearthDelivery
import HearthLocalCommands
import HearthManagementCommands

struct DeviceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: CommandSummary.device.name,
        abstract: CommandSummary.device.abstract,
        discussion: "These commands do not call the server. `hearth pull` downloads a model.",
        examples: [
            "hearth device list",
            "hearth device delete flowers",
        ],
        subcommands: [DeviceListCommand.self, DeviceDeleteCommand.self, DeviceCollectCommand.self])
}

/// A model in the `--json` output of this command and of `hearth pull`.
struct InstalledModel: Encodable {
    var name: String
    var path: String
    var sha256: String
    var size: Int
    /// The server's number, if it sent one.
    var version: Int?
    /// Only if the model is on this device.
    var damaged: Bool?

    init(_ model: CustomModel, path: String? = nil, isDamaged: Bool = false) {
        name = model.name
        self.path = path ?? model.path
        sha256 = model.hash
        size = model.size
        version = model.version
        damaged = isDamaged ? true : nil
    }
}

/// The output of `hearth device list --json`.
struct InstalledModelList: Encodable {
    var models: [InstalledModel]
}

struct DeviceListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", renamed: ["--config": "--app-config"],
        abstract: "List the models on this device, and check every byte of each.",
        examples: [
            "hearth device list",
            "hearth device list --json",
        ])

    @OptionGroup var device: DeviceOptions
    @OptionGroup var tables: TableOption

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let copies = try DeviceClient(chosenConfig: device.config).list()
        if json {
            return try Output.json(
                InstalledModelList(models: copies.map { InstalledModel($0.model, isDamaged: $0.isDamaged) }))
        }
        guard !copies.isEmpty else { return Output.line("There is no model on this device. Try: hearth pull NAME") }
        var table = TextTable([
            "NAME", .number("VERSION"), .number("BYTES"), .text("SHA-256", dropOrder: 2), "STATE",
            .text("FILE", dropOrder: 1, isTruncatable: true),
        ])
        for copy in copies {
            let model = copy.model
            table.append([
                model.name, model.version.map(String.init) ?? "-", String(model.size), String(model.hash.prefix(12)),
                copy.isDamaged ? "damaged" : "ok",
                model.path,
            ])
        }
        Output.line(table.text(width: tables.width))
    }
}

struct DeviceDeleteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", renamed: ["--config": "--app-config"],
        abstract: "Delete a model from this device. Programs that have it open can use it until they end.",
        examples: ["hearth device delete flowers"])

    @Argument(help: "Display name of the model.")
    var name: String

    @OptionGroup var device: DeviceOptions

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        guard try DeviceClient(chosenConfig: device.config).delete(name) else {
            throw CommandFailure("There is no model '\(name)' on this device.")
        }
        if json { return try Output.json(["deleted": name]) }
        Output.success("Deleted '\(name)' from this device.")
    }
}

struct DeviceCollectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "collect", renamed: ["--config": "--app-config"],
        abstract: "Delete files of the store that no record names. Every download does this too.",
        examples: ["hearth device collect"])

    @OptionGroup var device: DeviceOptions

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let count = try DeviceClient(chosenConfig: device.config).collectGarbage()
        if json { return try Output.json(["deletedFiles": count]) }
        Output.success(count == 1 ? "Deleted 1 file." : "Deleted \(count) files.")
    }
}

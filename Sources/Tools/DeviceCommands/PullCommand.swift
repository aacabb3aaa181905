import Foundation
import HearthApp
import HearthArguments
import HearthDelivery
import HearthLocalCommands

struct PullCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: CommandSummary.pull.name,
        renamed: ["--config": "--app-config"],
        abstract: CommandSummary.pull.abstract,
        discussion: """
            The model goes into this user's model store, verified. The command downloads it again only if the server has \
            another version for this device. Prints the path of the model, and its version on standard error.
            """,
        examples: [
            "hearth pull flowers",
            "hearth pull flowers --output flowers.tflite",
            "hearth pull flowers --tag beta --app-version 2.10.0 --limit-rate 500000",
        ])

    @Argument(help: "Display name of the model.")
    var name: String

    @Option(name: .shortAndLong, help: ArgumentHelp("Also write a copy to this file.", valueName: "file"))
    var output: String?

    @Option(help: ArgumentHelp("Maximum bytes per second.", valueName: "bytes"))
    var limitRate: Int?

    @OptionGroup var device: DeviceOptions

    @OptionGroup var description: DescriptionOptions

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        if let limitRate, limitRate < 1 { throw ValidationError("--limit-rate must be 1 or more.") }
    }

    func run() throws {
        // Before the transfer, so that an impossible target is refused immediately.
        let copy = try output.map(OutputFile.init)
        let client = try DeviceClient(chosenConfig: device.config, maxBytesPerSecond: limitRate.map(UInt64.init))
        try client.setDescription(description)
        let model = try client.download(name, progress: ProgressBar(label: "Downloading \(name)"))
        try copy?.write(Array(Data(contentsOf: URL(fileURLWithPath: model.path))))
        let path = copy?.path ?? model.path
        if json {
            return try Output.json(InstalledModel(model, path: path))
        }
        if let version = model.version { Output.note("\(name): version \(version)") }
        copy?.isStream == true ? Output.note(path) : Output.line(path)
    }
}

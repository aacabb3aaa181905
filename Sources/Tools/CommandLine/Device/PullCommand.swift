import Foundation
import HearthArguments
import HearthDelivery
import HearthLocalCommands

struct PullCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: CommandSummary.pull.name,
        abstract: CommandSummary.pull.abstract,
        discussion: """
            The model goes into this user's model store, verified, and is fetched again only when the server has \
            another one for this device. Prints where it is, and on standard error which version that is.
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

    @Option(help: ArgumentHelp("Fetch at most so many bytes per second.", valueName: "bytes"))
    var limitRate: Int?

    @OptionGroup var device: DeviceOptions

    @OptionGroup var description: DescriptionOptions

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        if let limitRate, limitRate < 1 { throw ValidationError("--limit-rate must be 1 or more.") }
    }

    func run() throws {
        // Before the transfer: a target that cannot be is told at once.
        let copy = try output.map(OutputFile.init)
        let client = try DeviceClient(chosenConfig: device.config, maxBytesPerSecond: limitRate.map(UInt64.init))
        try client.describe(description)
        let model = try client.fetch(name, progress: ProgressBar(label: "Fetching \(name)"))
        try copy?.write(Array(Data(contentsOf: URL(fileURLWithPath: model.path))))
        let path = copy?.path ?? model.path
        if json {
            return try Output.json(InstalledModel(model, path: path))
        }
        if let version = model.version { Output.note("\(name): version \(version)") }
        copy?.isStream == true ? Output.note(path) : Output.line(path)
    }
}

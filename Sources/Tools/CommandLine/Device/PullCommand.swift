import Foundation
import HearthApp
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
        try client.setDescription(description)
        let model = try client.download(name, progress: ProgressBar(label: "Fetching \(name)"))
        try copy?.write(Array(Data(contentsOf: URL(fileURLWithPath: model.path))))
        let path = copy?.path ?? model.path
        if json {
            return try Output.json(InstalledModel(model, path: path))
        }
        if let version = model.version { Output.note("\(name): version \(version)") }
        copy?.isStream == true ? Output.note(path) : Output.line(path)
    }
}

/// What this device is to tell the server in place of what the system says: for trying out whom a release is for.
struct DescriptionOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Tell the server that this device has the tag. May be given several times."))
    var tag: [String] = []

    @Option(
        help: ArgumentHelp(
            "Tell the server that the app has this version, such as 2.10.0. Default: none.", valueName: "version"))
    var appVersion: String?

    @Option(
        help: ArgumentHelp(
            "Tell the server that the device has this operating system, such as ios. Default: that of this machine.",
            valueName: "os"))
    var os: String?

    @Option(
        help: ArgumentHelp(
            "Tell the server that the user reads this language, such as de or pt-BR. Default: the system's.",
            valueName: "tag"))
    var language: String?

    @Option(
        help: ArgumentHelp(
            "Tell the server that the device is in this country, such as CH. Default: the system's.",
            valueName: "code"))
    var country: String?

    func validate() throws {
        var description = DeviceDescription()
        do {
            try apply(to: &description)
        } catch {
            throw ValidationError(error.message)
        }
    }

    /// Changes what the user named, and nothing else.
    func apply(to description: inout DeviceDescription) throws(DeviceDescriptionError) {
        if !tag.isEmpty { try description.setTags(tag) }
        if let appVersion { try description.setAppVersion(appVersion) }
        if let os { try description.setOperatingSystem(os) }
        if let language { try description.setLanguage(language) }
        if let country { try description.setCountry(country) }
    }
}

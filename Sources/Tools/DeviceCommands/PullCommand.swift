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

/// A description of this device that replaces the system's: to try out which devices a release reaches.
struct DescriptionOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Tag that this device reports. May be given several times."))
    var tag: [String] = []

    @Option(
        help: ArgumentHelp(
            "App version that this device reports, such as 2.10.0. Default: none.", valueName: "version"))
    var appVersion: String?

    @Option(
        help: ArgumentHelp(
            "Operating system that this device reports, such as ios. Default: that of this machine.",
            valueName: "os"))
    var os: String?

    @Option(
        help: ArgumentHelp(
            "Language that this device reports, such as de or pt-BR. Default: the system's.",
            valueName: "tag"))
    var language: String?

    @Option(
        help: ArgumentHelp(
            "Country that this device reports, such as CH. Default: the system's.",
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

    /// Changes only what the user named.
    func apply(to description: inout DeviceDescription) throws(DeviceDescriptionError) {
        if !tag.isEmpty { try description.setTags(tag) }
        if let appVersion { try description.setAppVersion(appVersion) }
        if let os { try description.setOperatingSystem(os) }
        if let language { try description.setLanguage(language) }
        if let country { try description.setCountry(country) }
    }
}

import Foundation
import HearthArguments
import HearthDelivery

struct PullCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pull",
        abstract: "Fetch a published model as a device would.",
        discussion: """
            The model goes into this user's model store, verified, and is fetched again only when the server has a \
            newer one. Prints where it is.
            """)

    @Argument(help: "Display name of the model.")
    var name: String

    @Option(name: .shortAndLong, help: ArgumentHelp("Also write a copy to this file.", valueName: "file"))
    var output: String?

    @OptionGroup var device: DeviceOptions

    @Flag(help: "Print JSON.")
    var json = false

    private struct Result: Encodable {
        var name: String
        var path: String
        var sha256: String
        var size: Int
    }

    func run() throws {
        let model = try device.client().fetch(name, progress: ProgressBar(label: "Fetching \(name)"))
        var path = model.path
        if let output {
            try Data(contentsOf: URL(fileURLWithPath: model.path)).write(
                to: URL(fileURLWithPath: output), options: .atomic)
            path = output
        }
        if json {
            return try Output.json(Result(name: name, path: path, sha256: model.hash, size: model.size))
        }
        Output.line(path)
    }
}

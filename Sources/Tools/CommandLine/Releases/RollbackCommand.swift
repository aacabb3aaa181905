import HearthArguments
import HearthLocalCommands
import HearthWire

struct RollbackCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollback",
        abstract: "Give all devices the version that they had before, at once.",
        discussion: "Ends every release under way, and makes a new one of the earlier version for all devices.",
        examples: [
            "hearth releases rollback flowers",
            "hearth releases rollback flowers --to 1",
        ])

    @OptionGroup var model: ModelName

    @Option(
        help: ArgumentHelp(
            "Version to go back to. Default: the one that was released before the present one.", valueName: "version"))
    var to: Int?

    @Flag(help: "Go to a version that all devices never had although the model refuses its inputs, outputs or labels.")
    var allowContractChange = false

    @Flag(help: "Release it although it crashed the engine when the server ran it.")
    var allowCrashing = false

    @OptionGroup var admin: AdminOptions

    func validate() throws {
        if let to, to < 1 { throw ValidationError("Versions are numbered from 1 on.") }
        guard !allowContractChange || to != nil else {
            throw ValidationError(
                "--allow-contract-change goes with --to: a version that all devices had is never refused.")
        }
        guard !allowCrashing || to != nil else {
            throw ValidationError("--allow-crashing goes with --to: a version that all devices had is never refused.")
        }
    }

    func run() throws {
        let client = try admin.client()
        let release = try client.rollBack(
            model.find(client).resourceName(),
            ReleaseBodies.RollbackRequest(
                version: to, allowContractChange: allowContractChange ? true : nil,
                allowCrashing: allowCrashing ? true : nil))
        try ReleaseReport(admin: admin, model: model.name).print(release, "Rolled back:")
    }
}

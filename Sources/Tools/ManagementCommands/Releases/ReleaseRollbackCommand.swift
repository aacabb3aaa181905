import HearthAdmin
import HearthArguments
import HearthCalls
import HearthWire

struct ReleaseRollbackCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollback",
        abstract: "Give all devices the version before again, immediately.",
        discussion: "Ends every open release, and makes a new release of the earlier version for all devices.",
        examples: [
            "hearth releases rollback flowers",
            "hearth releases rollback flowers --to 1",
        ])

    @OptionGroup var model: ModelName

    @Option(
        help: ArgumentHelp(
            "Version to return to: a number or an alias. Default: the one that was released before the present one.",
            valueName: "version"))
    var to: VersionArgument?

    @Flag(help: "Allow a version that not all devices had, although the model refuses its inputs, outputs or labels.")
    var allowContractChange = false

    @Flag(help: "Release a version that crashed the engine when the server ran it.")
    var allowCrashing = false

    @Flag(help: "Release a version whose rehearsal is missing, or shows less than the model requires.")
    var allowFailedRehearsal = false

    @OptionGroup var admin: AdminOptions

    func validate() throws {
        let permissions = [
            ("--allow-contract-change", allowContractChange), ("--allow-crashing", allowCrashing),
            ("--allow-failed-rehearsal", allowFailedRehearsal),
        ]
        for (option, isGiven) in permissions where isGiven && to == nil {
            throw ValidationError(
                "\(option) is only for --to. Without --to, a rollback returns to a version that all devices had, which "
                    + "the server never refuses.")
        }
    }

    func run() throws {
        let client = try admin.client()
        let name = try model.find(client).resourceName()
        let release = try client.rollBack(
            name,
            ReleaseBodies.RollbackRequest(
                version: to?.number(of: name, client), allowContractChange: allowContractChange ? true : nil,
                allowCrashing: allowCrashing ? true : nil, allowFailedRehearsal: allowFailedRehearsal ? true : nil))
        try ReleaseReport(admin: admin, model: model.name).print(release, "Rolled back:")
    }
}

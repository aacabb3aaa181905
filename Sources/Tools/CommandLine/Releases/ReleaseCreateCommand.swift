import HearthAdmin
import HearthArguments
import HearthLocalCommands
import HearthWire

struct ReleaseCreateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Give a version to all devices, to a share of them, or to those that meet conditions.",
        discussion: """
            Without --share and conditions all devices get it, and earlier releases end. With stages and without --share no \
            device gets it before the first stage.
            """,
        examples: [
            "hearth releases create flowers --version 2 --share 10%",
            "hearth releases create flowers --share 10% --stage +2d=50% --stage +4d=100%",
            "hearth releases create flowers --os ios --app-version-from 2.10 --country CH",
        ])

    @OptionGroup var model: ModelName

    @Option(help: ArgumentHelp("Version to release. Default: the newest.", valueName: "number"))
    var version: Int?

    @OptionGroup var schedule: ScheduleOptions
    @OptionGroup var audience: AudienceOptions

    @Flag(help: "Release a version with other inputs, outputs or labels, although the model refuses that.")
    var allowContractChange = false

    @Flag(help: "Release a version that crashed the engine when the server ran it.")
    var allowCrashing = false

    @Flag(help: "Release a version whose rehearsal is missing, or shows less than the model requires.")
    var allowFailedRehearsal = false

    @OptionGroup var admin: AdminOptions

    func validate() throws {
        if let version, version < 1 { throw ValidationError("Versions are numbered from 1.") }
    }

    func run() throws {
        let client = try admin.client()
        let name = try model.find(client).resourceName()
        try ReleaseReport(admin: admin, model: model.name).print(
            client.createRelease(of: name, body(now: .now)), "Created")
    }

    func body(now: Timestamp) throws -> ReleaseBodies.CreateRequest {
        let stages = try schedule.stages(now: now)
        // The server's default is all devices, which a schedule does not want.
        let share = try schedule.givenShare() ?? (stages.isEmpty ? nil : Share.none)
        return ReleaseBodies.CreateRequest(
            version: version, share: share?.fraction, stages: stages.isEmpty ? nil : stages,
            audience: audience.isEmpty ? nil : audience.audience(changing: Audience()),
            allowContractChange: allowContractChange ? true : nil, allowCrashing: allowCrashing ? true : nil,
            allowFailedRehearsal: allowFailedRehearsal ? true : nil)
    }
}

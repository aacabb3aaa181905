import HearthAdmin
import HearthArguments
import HearthCalls
import HearthLocalCommands
import HearthWire

struct ReleaseCreateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Give a version to all devices, to a share of them, or to those that meet conditions.",
        discussion: """
            Without --share and conditions all devices get it, and earlier releases end. With stages and without --share no \
            device gets it before the first stage.
            The server watches a release to a share of the devices, and pauses it when the version does harm. With --plan it \
            also lets the release grow automatically. See docs/guides/releases.md.
            """,
        examples: [
            "hearth releases create flowers --share 10% --stage +2d=50% --stage +4d=100%",
            "hearth releases create flowers --version 2 --plan 1%,5%,25%,100% --hold 2h --on-harm rollback",
            "hearth releases create flowers --os ios --app-version-from 2.10 --country CH",
        ])

    @OptionGroup var model: ModelName

    @Option(
        help: ArgumentHelp("Version to release: a number or an alias. Default: the newest.", valueName: "version"))
    var version: VersionArgument?

    @OptionGroup var schedule: ScheduleOptions
    @OptionGroup var guarding: GuardingOptions
    @OptionGroup var audience: AudienceOptions

    @Flag(help: "Release a version with other inputs, outputs or labels, although the model refuses that.")
    var allowContractChange = false

    @Flag(help: "Release a version that crashed the engine when the server ran it.")
    var allowCrashing = false

    @Flag(help: "Release a version whose rehearsal is missing, or shows less than the model requires.")
    var allowFailedRehearsal = false

    @OptionGroup var admin: AdminOptions

    func validate() throws {
        guard guarding.plan == nil || schedule.isEmpty else {
            throw ValidationError("Give --plan, or --share and --stage, not both.")
        }
    }

    func run() throws {
        let client = try admin.client()
        let name = try model.find(client).resourceName()
        let created = try client.createRelease(of: name, body(version: version?.number(of: name, client), now: .now))
        try ReleaseReport(admin: admin, model: model.name).print(
            created, "Created", consequences: ReleaseSummary.planNotes(created))
    }

    /// - Parameter version: the number of the version; nil for the newest.
    func body(version: Int?, now: Timestamp) throws -> ReleaseBodies.CreateRequest {
        let stages = try schedule.stages(now: now)
        // The server's default is all devices, which a schedule does not want.
        let share = try schedule.givenShare() ?? (stages.isEmpty ? nil : Share.none)
        return ReleaseBodies.CreateRequest(
            version: version, share: share?.fraction, stages: stages.isEmpty ? nil : stages,
            audience: audience.isEmpty ? nil : audience.audience(changing: Audience()),
            guarding: try guarding.guarding(),
            allowContractChange: allowContractChange ? true : nil, allowCrashing: allowCrashing ? true : nil,
            allowFailedRehearsal: allowFailedRehearsal ? true : nil)
    }
}

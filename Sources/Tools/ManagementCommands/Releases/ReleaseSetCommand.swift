import HearthAdmin
import HearthArguments
import HearthCalls
import HearthLocalCommands
import HearthWire

struct ReleaseSetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Change a release's share, schedule, audience or guards.",
        discussion: """
            What you do not give stays the same. A share without stages ends the schedule. Devices that got the version keep it \
            when the share grows. When it shrinks, devices outside it get the fallback release at their next request.
            """,
        examples: [
            "hearth releases set flowers --share 50%",
            "hearth releases set flowers 4 --country CH --country DE",
            "hearth releases set flowers --plan 5%,25%,100% --on-harm rollback",
        ])

    @OptionGroup var model: ModelName
    @OptionGroup var number: ReleaseNumber
    @OptionGroup var schedule: ScheduleOptions
    @OptionGroup var guarding: GuardingOptions
    @OptionGroup var audience: AudienceOptions

    @Flag(help: "Remove all conditions.")
    var everybody = false

    @Flag(help: "Give more devices a version with other inputs, outputs or labels, although the model refuses that.")
    var allowContractChange = false

    @Flag(help: "Release a version that crashed the engine when the server ran it.")
    var allowCrashing = false

    @Flag(help: "Release a version whose rehearsal is missing, or shows less than the model requires.")
    var allowFailedRehearsal = false

    @OptionGroup var admin: AdminOptions

    func validate() throws {
        guard !schedule.isEmpty || !audience.isEmpty || !guarding.isEmpty || everybody else {
            throw ValidationError(
                "Give what to change: --share, --stage, --plan, --hold, --on-harm, a guard, a condition, or --everybody."
            )
        }
        guard !everybody || audience.isEmpty else {
            throw ValidationError("Give --everybody or conditions, not both.")
        }
    }

    func run() throws {
        let client = try admin.client()
        let found = try model.find(client)
        let release = try number.find(client, found, for: "set")
        let name = try found.resourceName()
        // The call replaces the whole audience. The output says what the change removed.
        let present = try client.release(release, of: name)
        let changed = try client.updateRelease(
            release, of: name, body(changing: present.audience, present.guarding, now: .now))
        try ReleaseReport(admin: admin, model: model.name).print(
            changed, "Changed", consequences: Self.consequences(present, changed, now: .now))
    }

    /// Effects that the user may not expect.
    static func consequences(
        _ present: ReleaseBodies.Release, _ changed: ReleaseBodies.Release, now: Timestamp
    ) -> [String] {
        let hadSchedule = !ReleaseSummary(present, now: now).pendingStages.isEmpty
        let plan = (present.guarding?.plan, changed.guarding?.plan)
        return (hadSchedule && (changed.stages ?? []).isEmpty ? ["its schedule is removed"] : [])
            + (plan.0 != nil && plan.1 == nil ? ["its plan is removed"] : [])
            + (plan.0 != plan.1 ? ReleaseSummary.planNotes(changed) : [])
            + (changed.state == "paused" ? ["still paused"] : [])
    }

    func body(
        changing present: Audience?, _ guarding: ReleaseBodies.GuardingStatus? = nil, now: Timestamp
    ) throws -> ReleaseBodies.UpdateRequest {
        let stages = try schedule.stages(now: now)
        var changed: Audience?
        if everybody { changed = Audience() }
        if !audience.isEmpty { changed = audience.audience(changing: present ?? Audience()) }
        return ReleaseBodies.UpdateRequest(
            share: try schedule.givenShare()?.fraction, stages: stages.isEmpty ? nil : stages, audience: changed,
            guarding: try self.guarding.guarding(changing: guarding),
            allowContractChange: allowContractChange ? true : nil, allowCrashing: allowCrashing ? true : nil,
            allowFailedRehearsal: allowFailedRehearsal ? true : nil)
    }
}

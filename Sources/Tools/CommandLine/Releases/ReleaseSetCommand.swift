import HearthAdmin
import HearthArguments
import HearthLocalCommands
import HearthWire

struct ReleaseSetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Change a release's share, schedule or audience.",
        discussion: """
            What is not given stays. A share without stages ends the schedule. Devices that got the version keep it when \
            the share grows; when it shrinks, devices outside it fall back at their next request.
            """,
        examples: [
            "hearth releases set flowers --share 50%",
            "hearth releases set flowers 4 --country CH --country DE",
        ])

    @OptionGroup var model: ModelName
    @OptionGroup var number: ReleaseNumber
    @OptionGroup var schedule: ScheduleOptions
    @OptionGroup var audience: AudienceOptions

    @Flag(help: "Lift all conditions.")
    var everybody = false

    @Flag(help: "Give it to more devices although its inputs, outputs or labels differ and the model refuses that.")
    var allowContractChange = false

    @Flag(help: "Release it although it crashed the engine when the server ran it.")
    var allowCrashing = false

    @OptionGroup var admin: AdminOptions

    func validate() throws {
        guard !schedule.isEmpty || !audience.isEmpty || everybody else {
            throw ValidationError("Say what to change: --share, --stage, a condition, or --everybody.")
        }
        guard !everybody || audience.isEmpty else {
            throw ValidationError("--everybody and conditions exclude each other.")
        }
    }

    func run() throws {
        let client = try admin.client()
        let found = try model.find(client)
        let release = try number.find(client, found, for: "set")
        let name = try found.resourceName()
        // The call takes an audience whole, and what the change takes away is told afterwards.
        let present = try client.release(release, of: name)
        let changed = try client.updateRelease(release, of: name, body(changing: present.audience, now: .now))
        try ReleaseReport(admin: admin, model: model.name).print(
            changed, "Changed", consequences: Self.consequences(present, changed, now: .now))
    }

    /// What the caller may not have thought of.
    static func consequences(
        _ present: ReleaseBodies.Release, _ changed: ReleaseBodies.Release, now: Timestamp
    ) -> [String] {
        let hadSchedule = !ReleaseSummary(present, now: now).pendingStages.isEmpty
        return (hadSchedule && (changed.stages ?? []).isEmpty ? ["its schedule is gone"] : [])
            + (changed.state == "paused" ? ["still paused"] : [])
    }

    func body(changing present: Audience?, now: Timestamp) throws -> ReleaseBodies.UpdateRequest {
        let stages = try schedule.stages(now: now)
        var changed: Audience?
        if everybody { changed = Audience() }
        if !audience.isEmpty { changed = audience.audience(changing: present ?? Audience()) }
        return ReleaseBodies.UpdateRequest(
            share: try schedule.givenShare()?.fraction, stages: stages.isEmpty ? nil : stages, audience: changed,
            allowContractChange: allowContractChange ? true : nil, allowCrashing: allowCrashing ? true : nil)
    }
}

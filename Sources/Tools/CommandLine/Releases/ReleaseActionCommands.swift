import HearthArguments
import HearthLocalCommands
import HearthWire

struct ReleasePauseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Give a release to nobody new. Devices that have it keep it, and its schedule stands still.",
        examples: [
            "hearth releases pause flowers",
            "hearth releases pause flowers 4",
        ])

    @OptionGroup var model: ModelName
    @OptionGroup var number: ReleaseNumber
    @OptionGroup var admin: AdminOptions

    func run() throws { try ReleaseAction(admin: admin).perform(.pause, "Paused", model, number) }
}

struct ReleaseResumeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Go on with a paused release; its schedule goes on where it stood.",
        examples: [
            "hearth releases resume flowers",
            "hearth releases resume flowers 4",
        ])

    @OptionGroup var model: ModelName
    @OptionGroup var number: ReleaseNumber
    @OptionGroup var admin: AdminOptions

    func run() throws { try ReleaseAction(admin: admin).perform(.resume, "Resumed", model, number) }
}

/// What the commands that only name a release have in common.
private struct ReleaseAction {
    let admin: AdminOptions

    func perform(
        _ action: AdminClient.ReleaseAction, _ verb: String, _ model: ModelName, _ number: ReleaseNumber
    ) throws {
        let client = try admin.client()
        let found = try model.find(client)
        let release = try client.change(
            number.find(client, found, for: action.rawValue), of: found.resourceName(), action)
        try ReleaseReport(admin: admin, model: model.name).print(release, verb)
    }
}

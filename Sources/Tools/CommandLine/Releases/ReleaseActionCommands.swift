import HearthArguments
import HearthLocalCommands
import HearthWire

struct ReleasePauseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Give a release to nobody new. Devices that have it keep it, and its schedule stands still.")

    @OptionGroup var model: ModelName
    @OptionGroup var number: ReleaseNumber
    @OptionGroup var admin: AdminOptions

    func run() throws { try ReleaseAction(admin: admin).perform(.pause, "Paused", model, number) }
}

struct ReleaseResumeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Go on with a paused release; its schedule goes on where it stood.")

    @OptionGroup var model: ModelName
    @OptionGroup var number: ReleaseNumber
    @OptionGroup var admin: AdminOptions

    func run() throws { try ReleaseAction(admin: admin).perform(.resume, "Resumed", model, number) }
}

struct ReleaseEndCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "end",
        abstract: "End a release: devices get the one before it, where there is one.")

    @OptionGroup var model: ModelName
    @OptionGroup var number: ReleaseNumber
    @OptionGroup var confirmation: ConfirmationOption
    @OptionGroup var admin: AdminOptions

    func run() throws {
        try ReleaseAction(admin: admin).perform(.end, "Ended", model, number) { number in
            try confirmation.require(
                "End release \(number) of '\(model.name)'? Its devices get the one before it, where there is one.")
        }
    }
}

/// What the commands that only name a release have in common.
private struct ReleaseAction {
    let admin: AdminOptions

    func perform(
        _ action: AdminClient.ReleaseAction, _ verb: String, _ model: ModelName, _ number: ReleaseNumber,
        confirm: (Int) throws -> Void = { _ in }
    ) throws {
        let client = try admin.client()
        let found = try model.find(client)
        let number = try number.find(client, found)
        try confirm(number)
        let release = try client.change(number, of: found.resourceName(), action)
        try ReleaseReport(admin: admin).print(release, verb)
    }
}

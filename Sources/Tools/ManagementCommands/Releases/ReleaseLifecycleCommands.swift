import HearthAdmin
import HearthArguments
import HearthCalls
import HearthLocalCommands

struct ReleasePauseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Pause a release: no more devices get it, and its schedule stops.",
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
        commandName: "resume", abstract: "Resume a paused release and its schedule.",
        examples: [
            "hearth releases resume flowers",
            "hearth releases resume flowers 4",
        ])

    @OptionGroup var model: ModelName
    @OptionGroup var number: ReleaseNumber
    @OptionGroup var admin: AdminOptions

    func run() throws { try ReleaseAction(admin: admin).perform(.resume, "Resumed", model, number) }
}

/// The common part of the commands that only name a release.
private struct ReleaseAction {
    let admin: AdminOptions

    func perform(
        _ action: AdminClient.ReleaseAction, _ verb: String, _ model: ModelName, _ number: ReleaseNumber
    ) throws {
        let client = try admin.client()
        let found = try model.find(client)
        let release = try client.changeRelease(
            number.find(client, found, for: action.rawValue), of: found.resourceName(), action)
        try ReleaseReport(admin: admin, model: model.name).print(release, verb)
    }
}

struct ReleaseStopCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop",
        abstract:
            "Stop a release for good: its devices get the fallback release.",
        discussion: """
            A release that reaches all devices has no fallback release, so it cannot be stopped. Roll back (hearth releases \
            rollback), or unpublish the model (hearth models unpublish).
            """,
        examples: [
            "hearth releases stop flowers",
            "hearth releases stop flowers 4 --yes",
        ])

    @OptionGroup var model: ModelName
    @OptionGroup var number: ReleaseNumber
    @OptionGroup var confirmation: ConfirmationOption
    @OptionGroup var admin: AdminOptions

    func run() throws {
        let client = try admin.client()
        let found = try model.find(client)
        let name = try found.resourceName()
        let number = try number.find(client, found, for: "stop")
        if let question = Self.question(number, of: model.name, in: try client.releases(of: name)) {
            try confirmation.require(question)
        }
        try ReleaseReport(admin: admin, model: model.name).print(
            client.changeRelease(number, of: name, .stop), "Stopped")
    }

    /// Nil if nothing would change: the server says why.
    ///
    /// - Parameter releases: of the model, newest first.
    static func question(_ number: Int, of model: String, in releases: [ReleaseBodies.Release]) -> String? {
        let open = releases.filter { $0.state != "ended" }
        guard let release = open.first(where: { $0.release == number }), !ReleaseSummary(release).reachesAllDevices
        else {
            return nil
        }
        let below = open.filter { $0.release < number }.map {
            ReleaseSummary($0).distribution + ($0.state == "paused" ? ", paused" : "")
        }
        let consequence =
            below.isEmpty
            ? "There is no fallback release: its devices keep the version that they have."
            : "Its devices get the fallback release: \(below.joined(separator: "; "))."
        return "Stop release \(number) of '\(model)'? \(consequence)"
    }
}

import HearthArguments
import HearthLocalCommands
import HearthWire

struct ReleaseStopCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop",
        formerNames: ["end"],
        abstract:
            "Stop a release for good that some devices get: they get what lies below it, where there is something.",
        discussion: """
            A release that all devices get is not stopped, as nothing lies below it: roll back (hearth releases rollback), \
            or unpublish the model (hearth models unpublish).
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
        try ReleaseReport(admin: admin, model: model.name).print(client.change(number, of: name, .end), "Stopped")
    }

    /// Nil where nothing would change: the server says why.
    ///
    /// - Parameter releases: of the model, newest first.
    static func question(_ number: Int, of model: String, in releases: [ReleaseBodies.Release]) -> String? {
        let open = releases.filter { $0.state != "ended" }
        guard let release = open.first(where: { $0.release == number }), !ReleaseSummary(release).isForAll else {
            return nil
        }
        let below = open.filter { $0.release < number }.map {
            ReleaseSummary($0).reach + ($0.state == "paused" ? ", paused" : "")
        }
        let consequence =
            below.isEmpty
            ? "Nothing lies below it: its devices keep what they have, and get nothing more."
            : "Its devices get what lies below it: \(below.joined(separator: "; "))."
        return "Stop release \(number) of '\(model)'? \(consequence)"
    }
}

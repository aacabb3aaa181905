import HearthArguments
import HearthLocalCommands
import HearthWire

struct ModelDeleteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a model and all its versions. Devices keep what they have.",
        examples: [
            "hearth models delete flowers",
            "hearth models delete flowers --yes",
        ])

    @OptionGroup var model: ModelName
    @OptionGroup var confirmation: ConfirmationOption
    @OptionGroup var admin: AdminOptions

    func run() throws {
        let client = try admin.client()
        let found = try model.find(client)
        let versions = found.hearth?.version ?? 0
        try confirmation.require(
            "Delete '\(model.name)' and its \(versions == 1 ? "only version" : "\(versions) versions")?")
        try client.delete(try found.resourceName())
        if admin.json { return try Output.json(["deleted": model.name]) }
        Output.success("Deleted '\(model.name)'.")
    }
}

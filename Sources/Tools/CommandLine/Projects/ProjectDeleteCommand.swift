import HearthArguments
import HearthLocalCommands
import HearthWire

struct ProjectDeleteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete a project that has no models, with its keys, accounts and uploads.",
        discussion: "Needs the credentials of an operator. The audit log keeps what was done in the project.",
        examples: ["hearth projects delete robots"])

    @Argument(help: "Id of the project.")
    var id: String

    @OptionGroup var confirmation: ConfirmationOption
    @OptionGroup var admin: AdminOptions

    func run() throws {
        let client = try admin.client()
        let installations = try client.project(id).installations ?? "0"
        try confirmation.require(
            "Delete the project '\(id)' with its keys, accounts and uploads? Installations of its apps: \(installations)."
        )
        try client.deleteProject(id)
        if admin.json { return try Output.json(["deleted": id]) }
        Output.success("Deleted the project '\(id)'.")
    }
}

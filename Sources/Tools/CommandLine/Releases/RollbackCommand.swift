import HearthArguments
import HearthLocalCommands
import HearthWire

struct RollbackCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollback",
        abstract: "Give all devices the version that they had before, at once.",
        discussion: "Ends every release under way, and makes a new one of the earlier version for all devices.")

    @OptionGroup var model: ModelName

    @Option(
        help: ArgumentHelp(
            "Version to go back to. Default: the one that was released before the present one.", valueName: "version"))
    var to: Int?

    @OptionGroup var admin: AdminOptions

    func validate() throws {
        if let to, to < 1 { throw ValidationError("Versions are numbered from 1 on.") }
    }

    func run() throws {
        let client = try admin.client()
        let release = try client.rollBack(model.find(client).resourceName(), to: to)
        try ReleaseReport(admin: admin).print(release, "Rolled back:")
    }
}

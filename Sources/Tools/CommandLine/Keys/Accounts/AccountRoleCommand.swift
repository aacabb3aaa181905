import HearthArguments
import HearthLocalCommands
import HearthWire

struct AccountRoleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "role", abstract: "Change what a service account may do, from its next call on.",
        examples: ["hearth keys account role ci viewer"])

    @Argument(help: "Name of the account, or its email.")
    var email: String

    @Argument(help: "What it may do: viewer, publisher or owner.")
    var role: RoleName

    @OptionGroup var admin: AdminOptions

    func run() throws {
        let body = KeyBodies.UpdateServiceAccountRequest(role: role.rawValue)
        let account = try admin.client().updateServiceAccount(email, body)
        if admin.json { return try Output.json(account) }
        Output.success("\(account.email) is \(account.role) now.")
    }
}

import HearthArguments
import HearthLocalCommands

struct AccountRevokeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revoke one key of a service account, or the account with all its keys.")

    @Argument(help: "Email of the account.")
    var email: String

    @Option(help: ArgumentHelp("Only this key.", valueName: "id"))
    var key: String?

    @OptionGroup var confirmation: ConfirmationOption
    @OptionGroup var admin: AdminOptions

    func run() throws {
        let client = try admin.client()
        if let key {
            try confirmation.require("Revoke the key \(key) of \(email)?")
            try client.revokeKey(key, of: email)
        } else {
            try confirmation.require("Revoke \(email) and all its keys?")
            try client.revokeServiceAccount(email)
        }
        if admin.json { return try Output.json(["revoked": key ?? email]) }
        Output.line(key.map { "Revoked the key \($0) of \(email)." } ?? "Revoked \(email) and all its keys.")
    }
}

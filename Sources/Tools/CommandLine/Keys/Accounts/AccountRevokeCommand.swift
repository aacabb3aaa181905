import HearthArguments
import HearthLocalCommands
import HearthWire

struct AccountRevokeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revoke one key of a service account, or the account with all its keys.",
        discussion: """
            Admin tokens that the account made go on, and are listed. With --end-tokens they are ended, too, and so are those \
            that were made with one of them.
            """,
        examples: [
            "hearth keys account revoke ci@hearth-default.iam.hearth.invalid --key 9b1e55",
            "hearth keys account revoke ci@hearth-default.iam.hearth.invalid --end-tokens",
        ])

    /// What was done, for programs.
    private struct Report: Encodable {
        let revoked: String
        /// Ids of admin tokens.
        let endedTokens: [String]?
        let activeTokens: [String]?
    }

    @Argument(help: "Email of the account.")
    var email: String

    @Option(help: ArgumentHelp("Only this key.", valueName: "id"))
    var key: String?

    @Flag(help: "Also end the admin tokens that the account made.")
    var endTokens = false

    @OptionGroup var confirmation: ConfirmationOption
    @OptionGroup var admin: AdminOptions

    func run() throws {
        let client = try admin.client()
        let what = key.map { "the key \($0) of \(email)" } ?? "\(email) and all its keys"
        try confirmation.require("Revoke \(what)\(endTokens ? ", and end the admin tokens that it made" : "")?")
        let tokens =
            if let key {
                try client.revokeKey(key, of: email, endsTokens: endTokens)
            } else {
                try client.revokeServiceAccount(email, endsTokens: endTokens)
            }
        if admin.json {
            let ids = tokens.isEmpty ? nil : tokens.map(\.id)
            return try Output.json(
                Report(
                    revoked: key ?? email, endedTokens: endTokens ? ids : nil, activeTokens: endTokens ? nil : ids))
        }
        Output.line("Revoked \(what).")
        for token in tokens {
            Output.line(
                "\(endTokens ? "Ended" : "Goes on:") the admin token \(token.id) '\(token.name)' (\(token.role)).")
        }
        if !tokens.isEmpty, !endTokens {
            Output.note("note: The account made these admin tokens. The same command with --end-tokens ends them.")
        }
    }
}

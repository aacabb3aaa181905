import HearthArguments
import HearthLocalCommands
import HearthWire

struct AccountRevokeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revoke one key of a service account, or the account with all its keys.",
        discussion: """
            Admin tokens that the account made stay valid, and are listed. With --revoke-tokens they are revoked, too, and so are \
            those that were made with one of them.
            """,
        examples: [
            "hearth keys account revoke ci --key 9b1e55",
            "hearth keys account revoke ci --revoke-tokens",
        ])

    /// What was done, for programs.
    private struct Report: Encodable {
        let revoked: String
        /// Ids of admin tokens.
        let revokedTokens: [String]?
        /// The same, under the name that earlier versions gave it.
        let endedTokens: [String]?
        let activeTokens: [String]?
    }

    @Argument(help: "Name of the account, or its email.")
    var email: String

    @Option(help: ArgumentHelp("Only this key.", valueName: "id"))
    var key: String?

    @Flag(
        name: [.long, .former("end-tokens")], help: "Also revoke the admin tokens that the account made.")
    var revokeTokens = false

    @OptionGroup var confirmation: ConfirmationOption
    @OptionGroup var admin: AdminOptions

    func run() throws {
        let client = try admin.client()
        let what = key.map { "the key \($0) of \(email)" } ?? "\(email) and all its keys"
        try confirmation.require("Revoke \(what)\(revokeTokens ? ", and the admin tokens that it made" : "")?")
        let tokens =
            if let key {
                try client.revokeKey(key, of: email, endsTokens: revokeTokens)
            } else {
                try client.revokeServiceAccount(email, endsTokens: revokeTokens)
            }
        if admin.json {
            let ids = tokens.isEmpty ? nil : tokens.map(\.id)
            return try Output.json(
                Report(
                    revoked: key ?? email, revokedTokens: revokeTokens ? ids : nil,
                    endedTokens: revokeTokens ? ids : nil, activeTokens: revokeTokens ? nil : ids))
        }
        Output.success("Revoked \(what).")
        for token in tokens {
            let text = "the admin token \(token.id) '\(token.name)' (\(token.role))"
            if revokeTokens { Output.success("Revoked \(text).") } else { Output.line("Still valid: \(text).") }
        }
        if !tokens.isEmpty, !revokeTokens {
            Output.note(
                "note: The account made these admin tokens. The same command with --revoke-tokens revokes them.")
        }
    }
}

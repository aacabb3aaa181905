import HearthArguments
import HearthLocalCommands
import HearthWire

struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: CommandSummary.keys.name,
        abstract: CommandSummary.keys.abstract,
        discussion: """
            Apps have API keys, admin tools have service accounts, and scripts may have admin tokens. See \
            docs/guides/keys.md.
            """,
        examples: [
            "hearth keys list",
            "hearth keys api create 'Flowers for iOS' --output GoogleService-Info.plist",
            "hearth keys account create ci --role publisher --output ci.json",
        ],
        subcommands: [KeyListCommand.self, APIKeysCommand.self, AccountsCommand.self, TokensCommand.self])
}

struct KeyListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List a project's keys of every kind. Secrets are never shown again.",
        examples: ["hearth keys list"])

    @OptionGroup var tables: TableOption
    @OptionGroup var admin: AdminOptions

    /// As `--json` prints it.
    private struct Everything: Encodable {
        var apiKeys: [KeyBodies.APIKey]
        var serviceAccounts: [KeyBodies.ServiceAccount]
        var adminTokens: [KeyBodies.AdminToken]
    }

    func run() throws {
        let client = try admin.client()
        let all = Everything(
            apiKeys: try client.apiKeys(), serviceAccounts: try client.serviceAccounts(),
            adminTokens: try client.adminTokens(ofServer: false))
        if admin.json { return try Output.json(all) }
        let (project, width) = (try client.project(), tables.width)
        let accounts = KeyTables.accounts(all.serviceAccounts, project: project, width: width)
        let tokens = KeyTables.tokens(all.adminTokens, project: project, width: width)
        Output.line("API keys, for apps:\n\(KeyTables.apiKeys(all.apiKeys, width: width))\n")
        Output.line("Service accounts, for admin tools:\n\(accounts)\n")
        Output.line("Admin tokens, for scripts:\n\(tokens)")
    }
}

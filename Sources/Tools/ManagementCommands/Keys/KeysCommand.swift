import HearthAdmin
import HearthArguments
import HearthCalls
import HearthLocalCommands
import HearthWire

struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: CommandSummary.keys.name,
        abstract: CommandSummary.keys.abstract,
        discussion: """
            Apps use API keys, admin tools use service accounts, and scripts may use admin tokens. See \
            docs/guides/keys.md.
            """,
        examples: [
            "hearth keys list",
            "hearth keys api create 'Flowers for iOS' --output GoogleService-Info.plist",
            "hearth keys account create ci --role publisher --output ci.json",
        ],
        subcommands: [
            KeyListCommand.self, APIKeysCommand.self, AccountsCommand.self, TokensCommand.self, SigningKeysCommand.self,
        ])
}

struct KeyListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List all keys of a project, without the secrets.",
        examples: ["hearth keys list"])

    @OptionGroup var tables: TableOption
    @OptionGroup var admin: AdminOptions

    /// The output of `--json`.
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

/// The role of an account or a token.
enum RoleArgument: String, CaseIterable, ExpressibleByArgument {
    /// Reads everything except secrets.
    case viewer
    /// Also uploads, publishes, rolls out and deletes models.
    case publisher
    /// Also makes and revokes keys.
    case owner
}

enum TokenRoleArgument: String, CaseIterable, ExpressibleByArgument {
    case viewer
    case publisher
    case owner
    /// Reads what a follower needs; only with --server.
    case mirror
}

/// What was revoked, for programs.
struct RevocationReport: Encodable {
    let revoked: String
    /// The id of what was revoked, under the old name.
    let ended: String
    /// How many shared links ended with it; nil for what makes none.
    let endedLinks: Int?

    init(_ id: String, endedLinks: Int? = nil) {
        revoked = id
        ended = id
        self.endedLinks = endedLinks
    }
}

/// The links to single pages of the console that end with who made them.
enum EndedLinks {
    static func tell(_ count: Int) {
        guard count > 0 else { return }
        Output.line("\(Quantity.text(count, "shared link")) that it made ended with it.")
    }
}

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

/// The tables of keys.
enum KeyTables {
    /// - Parameter width: of the terminal; nil shows all, as for a file. The same holds for the other tables.
    static func apiKeys(_ keys: [KeyBodies.APIKey], width: Int? = nil, now: Timestamp = .now) -> String {
        var table = TextTable([
            "ID", .text("NAME", isTruncatable: true), .text("APP", dropOrder: 2),
            .text("FOR", dropOrder: 1, isTruncatable: true),
            .text("CREATED (UTC)", dropOrder: 3), "STATE",
        ])
        for key in keys {
            table.append([
                key.id, key.name, key.appId, key.bundleIds.map { $0.joined(separator: ", ") } ?? "any app",
                TimeArgument.short(key.createTime), state(key.endTime, hasEnded: key.ended == true, now: now),
            ])
        }
        return text(table, width)
    }

    /// A line per key of an account.
    ///
    /// - Parameter project: the project of the accounts.
    static func accounts(
        _ accounts: [KeyBodies.ServiceAccount], project: String? = nil, width: Int? = nil, now: Timestamp = .now
    ) -> String {
        var table = TextTable([
            "ACCOUNT", .text("ROLE", dropOrder: 1), "KEY", .text("CREATED (UTC)", dropOrder: 2), "STATE",
        ])
        for account in accounts {
            let name = ServiceAccountName.short(account.email, project: project)
            let role = account.role + (account.operator == true ? ", operator" : "")
            if (account.keys ?? []).isEmpty {
                table.append([name, role, "none", TimeArgument.short(account.createTime), ""])
            }
            for key in account.keys ?? [] {
                table.append([
                    name, role, key.id, TimeArgument.short(key.createTime), state(key.endTime, now: now),
                ])
            }
        }
        return text(table, width)
    }

    /// - Parameter project: the project of the tokens; nil for tokens of the server.
    static func tokens(
        _ tokens: [KeyBodies.AdminToken], project: String? = nil, width: Int? = nil, now: Timestamp = .now
    ) -> String {
        var table = TextTable([
            "ID", .text("NAME", isTruncatable: true), "ROLE", .text("PROJECT", dropOrder: 3),
            .text("CREATED (UTC)", dropOrder: 2), .text("BY", dropOrder: 1, isTruncatable: true), "STATE",
        ])
        for token in tokens {
            table.append([
                token.id, token.name, token.role, token.projectId ?? "all", TimeArgument.short(token.createTime),
                ServiceAccountName.short(token.createdBy, project: project),
                state(token.endTime, hasEnded: token.ended == true, now: now),
            ])
        }
        return text(table, width)
    }

    /// - Parameter hasEnded: whether the server says so. The date alone is not enough.
    /// - Returns: `active`, `until 2026-12-01 09:00`, or `ended`.
    static func state(_ endTime: String?, hasEnded: Bool = false, now: Timestamp) -> String {
        guard !hasEnded else { return "ended" }
        guard let endTime else { return "active" }
        guard let end = Timestamp(rfc3339: endTime), end > now else { return "ended" }
        return "until \(TimeArgument.short(endTime))"
    }

    private static func text(_ table: TextTable, _ width: Int?) -> String {
        table.isEmpty ? "none" : table.text(width: width)
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

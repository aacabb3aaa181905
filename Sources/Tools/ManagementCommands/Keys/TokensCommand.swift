import HearthAdmin
import HearthArguments
import HearthCalls
import HearthLocalCommands
import HearthWire

struct TokensCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        renamed: ["end": "revoke"],
        abstract: "Manage admin tokens, for scripts and curl.",
        examples: [
            "hearth keys token create deploy --lifetime 90d --output deploy.token",
            "hearth keys token list",
        ],
        subcommands: [TokenListCommand.self, TokenCreateCommand.self, TokenRevokeCommand.self])
}

/// Whether a command is about the tokens of a project or of the server.
struct TokenScope: ParsableArguments {
    @Flag(help: "Use tokens of the whole server, which are valid in all projects.")
    var server = false
}

struct TokenListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the admin tokens.",
        examples: [
            "hearth keys token list",
            "hearth keys token list --server",
        ])

    @OptionGroup var scope: TokenScope
    @OptionGroup var tables: TableOption
    @OptionGroup var admin: AdminOptions

    func run() throws {
        let client = try admin.client()
        let tokens = try client.adminTokens(ofServer: scope.server)
        if admin.json { return try Output.json(KeyBodies.AdminTokenList(adminTokens: tokens)) }
        let project = scope.server ? nil : try client.project()
        Output.line(KeyTables.tokens(tokens, project: project, width: tables.width))
    }
}

struct TokenCreateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        renamed: ["--out": "--output"],
        abstract: "Make an admin token. The server shows it only once.",
        discussion:
            "Use the token as HEARTH_TOKEN, together with HEARTH_URL, or after `Authorization: Bearer` with curl.",
        examples: [
            "hearth keys token create deploy --role publisher --lifetime 90d --output deploy.token",
            "hearth keys token create dashboard --role viewer",
        ])

    @Argument(help: "Name of the token, for lists.")
    var name: String

    @Option(
        help: ArgumentHelp(
            "Role of the token. The role mirror is for `hearth follow`, and needs --server.", valueName: "role"))
    var role: TokenRoleArgument = .publisher

    @Option(
        help: ArgumentHelp(
            "Time until the token expires, such as 90d or 12h. Default: it never expires.", valueName: "time"))
    var lifetime: DurationArgument?

    @OptionGroup var scope: TokenScope

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Write the token to this file instead of printing it. The file must not exist.", valueName: "file"))
    var output: String?

    @OptionGroup var admin: AdminOptions

    func validate() throws {
        if let lifetime, lifetime.seconds < 1 { throw ValidationError("--lifetime must be a second or more.") }
        if role == .mirror, !scope.server {
            throw ValidationError("A token of the role mirror is for the whole server: add --server.")
        }
    }

    func run() throws {
        let file = try output.map { try SecretFile($0) }
        var token = try admin.client().createAdminToken(
            KeyBodies.CreateAdminTokenRequest(name: name, role: role.rawValue, lifetimeSeconds: lifetime?.seconds),
            ofServer: scope.server)
        guard let secret = token.token else { throw CommandFailure("The server's answer has no token.") }
        if let file, let path = file.path {
            try file.write(
                Array("\(secret)\n".utf8),
                otherwise: "The token is lost; revoke it: hearth keys token revoke \(token.id)")
            token.token = nil
            if admin.json { return try Output.json(token) }
            return Output.success(
                "Made the token \(token.id) in \(path). Keep it like a password: the server cannot show it again.")
        }
        if admin.json { return try Output.json(token) }
        // Standard output contains only the token, so that scripts can use it.
        Output.note("Made the token \(token.id). The server shows it only once:")
        Output.line(secret)
    }
}

struct TokenRevokeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revoke an admin token: the server refuses it from then on.",
        examples: ["hearth keys token revoke 3c77d0"])

    @Argument(help: "Id of the token.")
    var id: String

    @OptionGroup var scope: TokenScope
    @OptionGroup var confirmation: ConfirmationOption
    @OptionGroup var admin: AdminOptions

    func run() throws {
        let client = try admin.client()
        try confirmation.require("Revoke the token \(id)?")
        let token = try client.revokeAdminToken(id, ofServer: scope.server)
        if admin.json { return try Output.json(RevocationReport(id, endedLinks: token.endedLinks ?? 0)) }
        guard token.unchanged != true else {
            return Output.line("Nothing changed: the token \(id) was already revoked or expired.")
        }
        Output.success("Revoked the token \(id).")
        EndedLinks.tell(token.endedLinks ?? 0)
    }
}

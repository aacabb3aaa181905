import HearthAdmin
import HearthArguments
import HearthLocalCommands
import HearthWire

struct TokensCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Manage admin tokens, for scripts and curl.",
        examples: [
            "hearth keys token create deploy --lifetime 90d --output deploy.token",
            "hearth keys token list",
        ],
        subcommands: [TokenListCommand.self, TokenCreateCommand.self, TokenRevokeCommand.self])
}

/// Whose tokens a command is about.
struct TokenScope: ParsableArguments {
    @Flag(help: "Tokens of the whole server, which act in all projects.")
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
        abstract: "Make an admin token. It is printed this once.",
        discussion: "Use it as HEARTH_TOKEN, together with HEARTH_URL, or after `Authorization: Bearer` with curl.",
        examples: [
            "hearth keys token create deploy --role publisher --lifetime 90d --output deploy.token",
            "hearth keys token create dashboard --role viewer",
        ])

    @Argument(help: "Name of the token, for people.")
    var name: String

    @Option(help: ArgumentHelp("What it may do.", valueName: "role"))
    var role: RoleArgument = .publisher

    @Option(help: ArgumentHelp("When it expires, such as 90d or 12h. Default: never.", valueName: "time"))
    var lifetime: DurationArgument?

    @OptionGroup var scope: TokenScope

    @Option(
        name: [.short, .long, .former("out")],
        help: ArgumentHelp(
            "Write the token to this file, which must not exist, instead of printing it.", valueName: "file"))
    var output: String?

    @OptionGroup var admin: AdminOptions

    func validate() throws {
        if let lifetime, lifetime.seconds < 1 { throw ValidationError("--lifetime must be a second or more.") }
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
                "Made the token \(token.id) in \(path). Keep it like a password: it cannot be shown again.")
        }
        if admin.json { return try Output.json(token) }
        // Nothing else on standard output, so that a script can take it.
        Output.note("Made the token \(token.id). It is shown this once:")
        Output.line(secret)
    }
}

struct TokenRevokeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", formerNames: ["end"],
        abstract: "Revoke an admin token: it is refused from then on.",
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
        if admin.json { return try Output.json(RevocationReport(id)) }
        guard token.unchanged != true else {
            return Output.line("Nothing changed: the token \(id) had been revoked or had expired already.")
        }
        Output.success("Revoked the token \(id).")
    }
}

import HearthAdmin
import HearthArguments
import HearthCalls
import HearthLocalCommands
import HearthWire

struct AccountsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account",
        abstract: "Manage the service accounts of admin tools.",
        examples: [
            "hearth keys account list",
            "hearth keys account create ci --role publisher --output ci.json",
        ],
        subcommands: [
            AccountListCommand.self, AccountCreateCommand.self, AccountRoleCommand.self, AccountAddKeyCommand.self,
            AccountRevokeCommand.self,
        ])
}

struct AccountListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the service accounts and their keys.",
        examples: ["hearth keys account list"])

    @OptionGroup var tables: TableOption
    @OptionGroup var admin: AdminOptions

    func run() throws {
        let client = try admin.client()
        let accounts = try client.serviceAccounts()
        if admin.json { return try Output.json(KeyBodies.ServiceAccountList(serviceAccounts: accounts)) }
        Output.line(KeyTables.accounts(accounts, project: try client.project(), width: tables.width))
    }
}

struct AccountCreateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", renamed: ["--out": "--output"],
        abstract: "Make a service account, and the key file for admin tools.",
        examples: [
            "hearth keys account create ci --role publisher --output ci.json",
            "hearth keys account create root --operator --output root.json",
        ])

    @Argument(help: "Name of the account: up to 30 lower-case letters, digits and hyphens, a letter first.")
    var name: String

    @Option(help: ArgumentHelp("Role of the account. Default: publisher.", valueName: "role"))
    var role: RoleArgument?

    @Flag(
        name: .customLong("operator"),
        help: "Make the account an operator, with all rights in all projects. Only operators may do this.")
    var isOperator = false

    @OptionGroup var file: SecretFileOption
    @OptionGroup var admin: AdminOptions

    func validate() throws {
        guard ServiceAccountName.isValid(name) else {
            throw ValidationError(
                "An account's name must have 1 to 30 lower-case letters, digits and hyphens, and must begin with a letter: '\(name)'."
            )
        }
        guard !isOperator || role == nil || role == .owner else {
            throw ValidationError("An operator is always an owner: leave out --role, or give --role owner.")
        }
    }

    func run() throws {
        let target = try file.target(isJSON: admin.json)
        let client = try admin.client()
        let key = try client.createServiceAccount(
            KeyBodies.CreateServiceAccountRequest(
                name: name, role: (role ?? (isOperator ? .owner : .publisher)).rawValue,
                operator: isOperator ? true : nil))
        try AccountKeyReport(json: admin.json).print(key, to: target)
    }
}

struct AccountAddKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add-key", renamed: ["--out": "--output"],
        abstract: "Make another key for a service account, for example to replace one.",
        examples: ["hearth keys account add-key ci --output ci-2.json"])

    @Argument(help: "Name of the account, or its email.")
    var email: String

    @OptionGroup var file: SecretFileOption
    @OptionGroup var admin: AdminOptions

    func run() throws {
        let target = try file.target(isJSON: admin.json)
        try AccountKeyReport(json: admin.json).print(admin.client().addKey(to: email), to: target)
    }
}

/// Where a new account key goes.
struct AccountKeyReport {
    let json: Bool

    /// - Parameter file: nil prints the key.
    func print(_ key: ServiceAccountKey, to file: SecretFile?) throws {
        let bytes = try CredentialsFile.serviceAccount(key)
        guard let file, let path = file.path else { return Output.line(String(decoding: bytes, as: UTF8.self)) }
        try file.write(
            bytes,
            otherwise:
                "The key is lost; revoke it: hearth keys account revoke \(key.clientEmail) --key \(key.privateKeyID)")
        if json { return try Output.json(["email": key.clientEmail, "key": key.privateKeyID, "file": path]) }
        Output.success(
            "Made a key of \(key.clientEmail) in \(path). Keep it like a password: the server cannot show it again.")
    }
}

struct AccountRoleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "role", abstract: "Change the role of a service account, from its next call on.",
        examples: ["hearth keys account role ci viewer"])

    @Argument(help: "Name of the account, or its email.")
    var email: String

    @Argument(help: "New role: viewer, publisher or owner.")
    var role: RoleArgument

    @OptionGroup var admin: AdminOptions

    func run() throws {
        let body = KeyBodies.UpdateServiceAccountRequest(role: role.rawValue)
        let account = try admin.client().updateServiceAccount(email, body)
        if admin.json { return try Output.json(account) }
        Output.success("The role of \(account.email) is now \(account.role).")
    }
}

struct AccountRevokeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        renamed: ["--end-tokens": "--revoke-tokens"],
        abstract: "Revoke one key of a service account, or the account with all its keys.",
        discussion: """
            Admin tokens that the account made stay valid, and the command lists them. With --revoke-tokens it revokes them \
            too, and all tokens that were made with one of them.
            """,
        examples: [
            "hearth keys account revoke ci --key 9b1e55",
            "hearth keys account revoke ci --revoke-tokens",
        ])

    /// The result, for programs.
    private struct Report: Encodable {
        let revoked: String
        /// Ids of admin tokens.
        let revokedTokens: [String]?
        /// Ids of admin tokens, under the old name.
        let endedTokens: [String]?
        let activeTokens: [String]?
        let endedLinks: Int
    }

    @Argument(help: "Name of the account, or its email.")
    var email: String

    @Option(help: ArgumentHelp("Revoke only this key.", valueName: "id"))
    var key: String?

    @Flag(
        help: "Also revoke the admin tokens that the account made.")
    var revokeTokens = false

    @OptionGroup var confirmation: ConfirmationOption
    @OptionGroup var admin: AdminOptions

    func run() throws {
        let client = try admin.client()
        let what = key.map { "the key \($0) of \(email)" } ?? "\(email) and all its keys"
        try confirmation.require("Revoke \(what)\(revokeTokens ? ", and the admin tokens that it made" : "")?")
        let revocation =
            if let key {
                try client.revokeKey(key, of: email, revokesTokens: revokeTokens)
            } else {
                try client.revokeServiceAccount(email, revokesTokens: revokeTokens)
            }
        let tokens = revocation.adminTokens
        if admin.json {
            let ids = tokens.isEmpty ? nil : tokens.map(\.id)
            return try Output.json(
                Report(
                    revoked: key ?? email, revokedTokens: revokeTokens ? ids : nil,
                    endedTokens: revokeTokens ? ids : nil, activeTokens: revokeTokens ? nil : ids,
                    endedLinks: revocation.endedLinks))
        }
        Output.success("Revoked \(what).")
        for token in tokens {
            let text = "the admin token \(token.id) '\(token.name)' (\(token.role))"
            if revokeTokens { Output.success("Revoked \(text).") } else { Output.line("Still valid: \(text).") }
        }
        EndedLinks.tell(revocation.endedLinks)
        if !tokens.isEmpty, !revokeTokens {
            Output.note(
                "note: the account made these admin tokens. The same command with --revoke-tokens revokes them.")
        }
    }
}

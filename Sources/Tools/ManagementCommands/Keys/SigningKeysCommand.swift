import HearthAdmin
import HearthArguments
import HearthCalls
import HearthLocalCommands
import HearthWire

struct SigningKeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "signing",
        abstract: "Manage the keys with which the server signs tokens and links. For operators.",
        discussion: """
            The newest key signs. What older ones signed stays valid until you retire them. See \
            docs/guides/keys.md.
            """,
        examples: [
            "hearth keys signing list",
            "hearth keys signing rotate",
            "hearth keys signing retire 1",
        ],
        subcommands: [SigningKeyListCommand.self, SigningKeyRotateCommand.self, SigningKeyRetireCommand.self])
}

struct SigningKeyListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the signing keys, without the secrets.",
        examples: ["hearth keys signing list"])

    @OptionGroup var tables: TableOption
    @OptionGroup var admin: AdminOptions

    func run() throws {
        let keys = try admin.client().signingKeys()
        if admin.json { return try Output.json(SigningKeyBodies.List(signingKeys: keys)) }
        Output.line(SigningKeyTable.text(keys, width: tables.width))
    }
}

struct SigningKeyRotateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Make a new signing key. What older keys signed stays valid.",
        examples: ["hearth keys signing rotate"])

    @OptionGroup var admin: AdminOptions

    func run() throws {
        let key = try admin.client().rotateSigningKey()
        if admin.json { return try Output.json(key) }
        let start = key.signsFromTime.map { "from \(TimeArgument.short($0)) UTC on" } ?? "from now on"
        Output.success("Made the signing key \(key.id). It signs \(start).")
        Output.note("Older keys stay valid until you retire them: hearth keys signing retire ID")
    }
}

struct SigningKeyRetireCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retire",
        abstract: "Retire an old signing key: the server refuses what it signed from then on.",
        discussion: """
            Tools get new access tokens, and links to files that the key signed end. Apps that registered while the key signed \
            register again at their next call, as new installations: they may get another variant of an experiment, and are \
            counted twice for a while. All do so automatically. A retired key cannot be used again.
            """,
        examples: ["hearth keys signing retire 1"])

    @Argument(help: "Id of the key, or `former` for the keys of the main server that this server followed.")
    var id: String

    @OptionGroup var confirmation: ConfirmationOption
    @OptionGroup var admin: AdminOptions

    func run() throws {
        let client = try admin.client()
        try confirmation.require(
            id == "former"
                ? """
                Retire the keys of the former main server? Apps that registered there register again automatically, as new \
                installations.
                """
                : """
                Retire the signing key \(id)? Apps that registered while it signed register again automatically, as new \
                installations; access tokens of tools and links to files that it signed end.
                """)
        let key = try client.retireSigningKey(id)
        if admin.json { return try Output.json(key) }
        guard key.unchanged != true else {
            return Output.line("Nothing changed: the signing key \(id) was already retired.")
        }
        Output.success("Retired the signing key \(id).")
    }
}

enum SigningKeyTable {
    /// - Parameter width: of the terminal; nil shows all, as for a file.
    static func text(_ keys: [SigningKeyBodies.Key], width: Int? = nil) -> String {
        var table = TextTable(["ID", .text("CREATED (UTC)", dropOrder: 1), "STATE"])
        for key in keys { table.append([key.id, TimeArgument.short(key.createTime), state(of: key)]) }
        return table.text(width: width)
    }

    private static func state(of key: SigningKeyBodies.Key) -> String {
        if let start = key.signsFromTime { return "\(key.state), signs from \(TimeArgument.short(start))" }
        guard let end = key.retireTime else { return key.state }
        return "\(key.state) \(TimeArgument.short(end))"
    }
}

import HearthAdmin
import HearthArguments
import HearthCalls
import HearthLocalCommands
import HearthWire

struct APIKeyRestrictCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restrict", abstract: "Restrict an API key to bundle ids or package names.",
        examples: [
            "hearth keys api restrict 7f3a9c --bundle-id com.example.flowers",
            "hearth keys api restrict 7f3a9c --any",
        ])

    @Argument(help: "Id of the key.")
    var id: String

    @Option(
        help: ArgumentHelp(
            "Bundle id or package name that may use the key. May be given several times.", valueName: "id"))
    var bundleID: [String] = []

    @Flag(name: .customLong("any"), help: "Let all apps use the key.")
    var isUnrestricted = false

    @OptionGroup var admin: AdminOptions

    func validate() throws {
        guard bundleID.isEmpty == isUnrestricted else {
            throw ValidationError("Give --bundle-id, or --any to remove the restriction.")
        }
    }

    func run() throws {
        let key = try admin.client().updateAPIKey(id, KeyBodies.UpdateAPIKeyRequest(bundleIds: bundleID))
        if admin.json { return try Output.json(key) }
        Output.success(
            "The API key \(key.id) is now for \(key.bundleIds.map { $0.joined(separator: ", ") } ?? "any app").")
    }
}

struct APIKeyRotateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        renamed: ["--out": "--output"],
        abstract: "Make a new API key for the same app. The old key stays valid until the grace time is over.",
        examples: ["hearth keys api rotate 7f3a9c --grace 60d --output GoogleService-Info.plist.new"])

    @Argument(help: "Id of the old key.")
    var id: String

    @Option(
        help: ArgumentHelp(
            "How long the old key stays valid, such as 30d or 12h; 0s revokes it immediately.", valueName: "time"))
    var grace = DurationArgument(seconds: 30 * 86_400)

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Write a GoogleService-Info.plist with the new key to this file. It must not exist; - prints it.",
            valueName: "file"))
    var output: String?

    @OptionGroup var app: AppIDOption
    @OptionGroup var confirmation: ConfirmationOption
    @OptionGroup var admin: AdminOptions

    func validate() throws {
        guard output != nil || app.bundleID == nil else {
            throw ValidationError("--bundle-id needs --output.")
        }
    }

    func run() throws {
        let client = try admin.client()
        if grace.seconds <= 0 {
            try confirmation.require(
                "Revoke the API key \(id) immediately? Apps that were built with it get no models any more.")
        }
        let report = try APIKeyReport(client: client, admin: admin, output: output)
        let bundleID = try output == nil ? nil : chosenApp(client)
        let key = try client.rotateAPIKey(id, KeyBodies.RotateRequest(graceSeconds: grace.seconds))
        try report.print(key, "Made", bundleID: bundleID)
    }

    private func chosenApp(_ client: AdminClient) throws -> String? {
        guard let key = try client.apiKey(id) else {
            throw CommandFailure("There is no API key '\(id)' in this project. `hearth keys api list` lists the keys.")
        }
        return try app.choice(key)
    }
}

struct APIKeyRevokeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revoke an API key. Apps that were built with it get no models any more.",
        examples: ["hearth keys api revoke 7f3a9c"])

    @Argument(help: "Id of the key.")
    var id: String

    @OptionGroup var confirmation: ConfirmationOption
    @OptionGroup var admin: AdminOptions

    func run() throws {
        let client = try admin.client()
        try confirmation.require("Revoke the API key \(id)? Apps that were built with it get no models any more.")
        let key = try client.revokeAPIKey(id)
        if admin.json { return try Output.json(RevocationReport(id)) }
        guard key.unchanged != true else {
            return Output.line("Nothing changed: the API key \(id) was already revoked or expired.")
        }
        Output.success("Revoked the API key \(id).")
    }
}

import HearthArguments
import HearthLocalCommands
import HearthWire

struct APIKeyRestrictCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restrict", abstract: "Say which bundle ids or package names may use an API key.")

    @Argument(help: "Id of the key.")
    var id: String

    @Option(
        help: ArgumentHelp("Bundle id or package name. May be given several times.", valueName: "id"))
    var bundleID: [String] = []

    @Flag(name: .customLong("any"), help: "Let any app use it.")
    var isUnrestricted = false

    @OptionGroup var admin: AdminOptions

    func validate() throws {
        guard bundleID.isEmpty == isUnrestricted else {
            throw ValidationError("Give --bundle-id, or --any to lift the restriction.")
        }
    }

    func run() throws {
        let key = try admin.client().updateAPIKey(id, KeyBodies.UpdateAPIKeyRequest(bundleIds: bundleID))
        if admin.json { return try Output.json(key) }
        Output.line(
            "The API key \(key.id) is for \(key.bundleIds.map { $0.joined(separator: ", ") } ?? "any app") now.")
    }
}

struct APIKeyRotateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Make a new API key for the same app. The old one works on until the grace time is over.")

    @Argument(help: "Id of the old key.")
    var id: String

    @Option(
        help: ArgumentHelp(
            "How long the old key works on, such as 30d or 12h; 0s ends it at once.", valueName: "time"))
    var grace = TimeSpan(seconds: 30 * 86_400)

    @Option(
        help: ArgumentHelp(
            "Write a GoogleService-Info.plist with the new key to this file, which must not exist; - prints it.",
            valueName: "file"))
    var out: String?

    @OptionGroup var app: AppIDOption
    @OptionGroup var confirmation: ConfirmationOption
    @OptionGroup var admin: AdminOptions

    func validate() throws {
        guard out != nil || app.bundleID == nil else {
            throw ValidationError("--bundle-id is for the file that --out names.")
        }
    }

    func run() throws {
        let client = try admin.client()
        if grace.seconds <= 0 {
            try confirmation.require(
                "End the API key \(id) at once? Apps that were built with it get no models any more.")
        }
        let report = try APIKeyReport(client: client, admin: admin, out: out)
        let bundleID = try out == nil ? nil : app.choice(try client.apiKey(id))
        let key = try client.rotateAPIKey(id, KeyBodies.RotateRequest(graceSeconds: grace.seconds))
        try report.print(key, "Made", bundleID: bundleID)
    }
}

struct APIKeyEndCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "end", abstract: "End an API key. Apps that were built with it get no models any more.")

    @Argument(help: "Id of the key.")
    var id: String

    @OptionGroup var confirmation: ConfirmationOption
    @OptionGroup var admin: AdminOptions

    func run() throws {
        let client = try admin.client()
        try confirmation.require("End the API key \(id)? Apps that were built with it get no models any more.")
        let key = try client.endAPIKey(id)
        if admin.json { return try Output.json(["ended": id]) }
        Output.line(
            key.unchanged == true
                ? "Nothing changed: the API key \(id) had ended already." : "Ended the API key \(id).")
    }
}

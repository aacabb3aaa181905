import HearthAdmin
import HearthArguments
import HearthCalls
import HearthLocalCommands
import HearthWire

struct APIKeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "api",
        renamed: ["end": "revoke"],
        abstract: "Manage the API keys of apps.",
        examples: [
            "hearth keys api list",
            "hearth keys api create 'Flowers for iOS' --bundle-id com.example.flowers --output app.plist",
        ],
        subcommands: [
            APIKeyListCommand.self, APIKeyCreateCommand.self, APIKeyRestrictCommand.self, APIKeyRotateCommand.self,
            APIKeyFileCommand.self, APIKeyRevokeCommand.self,
        ])
}

struct APIKeyListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the API keys.",
        examples: ["hearth keys api list"])

    @OptionGroup var tables: TableOption
    @OptionGroup var admin: AdminOptions

    func run() throws {
        let keys = try admin.client().apiKeys()
        if admin.json { return try Output.json(KeyBodies.APIKeyList(apiKeys: keys)) }
        Output.line(KeyTables.apiKeys(keys, width: tables.width))
    }
}

struct APIKeyCreateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        renamed: ["--out": "--output"],
        abstract: "Make an API key for an app, and the GoogleService-Info.plist with the key.",
        examples: [
            "hearth keys api create 'Flowers for iOS' --bundle-id com.example.flowers --output app.plist",
            "hearth keys api create 'Flowers for Android' --platform android --json",
        ])

    /// The platforms in app ids.
    enum Platform: String, CaseIterable, ExpressibleByArgument {
        case ios
        case android
        case web
    }

    @Argument(help: "Name of the key, for lists.")
    var name: String

    @Option(help: ArgumentHelp("Platform of a new app.", valueName: "platform"))
    var platform: Platform = .ios

    @Option(help: ArgumentHelp("App that already has a key. Default: a new app.", valueName: "app id"))
    var appID: String?

    @Option(
        help: ArgumentHelp(
            "Bundle id or package name that may use the key. May be given several times; the first one goes into the file. Default: all.",
            valueName: "id"))
    var bundleID: [String] = []

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Write a GoogleService-Info.plist with the key to this file. It must not exist; - prints it.",
            valueName: "file"))
    var output: String?

    @OptionGroup var admin: AdminOptions

    func run() throws {
        let client = try admin.client()
        let report = try APIKeyReport(client: client, admin: admin, output: output)
        let key = try client.createAPIKey(
            KeyBodies.CreateAPIKeyRequest(
                name: name, platform: appID == nil ? platform.rawValue : nil, appId: appID,
                bundleIds: bundleID.isEmpty ? nil : bundleID))
        try report.print(key, "Made")
    }
}

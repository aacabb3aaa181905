import HearthArguments
import HearthLocalCommands
import HearthWire

struct APIKeyCreateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Make an API key for an app, and the GoogleService-Info.plist to build it with.",
        examples: [
            "hearth keys api create 'Flowers for iOS' --bundle-id com.example.flowers --output app.plist",
            "hearth keys api create 'Flowers for Android' --platform android --json",
        ])

    /// What app ids name.
    enum Platform: String, CaseIterable, ExpressibleByArgument {
        case ios
        case android
        case web
    }

    @Argument(help: "Name of the key, for people.")
    var name: String

    @Option(help: ArgumentHelp("Platform of a new app.", valueName: "platform"))
    var platform: Platform = .ios

    @Option(help: ArgumentHelp("App that has a key already. Default: a new one.", valueName: "app id"))
    var appID: String?

    @Option(
        help: ArgumentHelp(
            "Bundle id or package name that may use it. May be given several times; the first is the file's. Default: any.",
            valueName: "id"))
    var bundleID: [String] = []

    @Option(
        name: [.short, .long, .former("out")],
        help: ArgumentHelp(
            "Write a GoogleService-Info.plist with the key to this file, which must not exist; - prints it.",
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

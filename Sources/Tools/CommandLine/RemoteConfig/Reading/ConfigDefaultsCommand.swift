import HearthArguments
import HearthLocalCommands

struct ConfigDefaultsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "defaults",
        abstract: "Print the parameters' defaults as a file to ship with an app.",
        discussion: "Parameters whose default is the app's own are left out.",
        examples: [
            "hearth remoteconfig defaults --format plist --output RemoteConfigDefaults.plist",
            "hearth remoteconfig defaults --format xml > remote_config_defaults.xml",
        ])

    enum Format: String, CaseIterable, ExpressibleByArgument {
        /// For Android.
        case xml
        /// For Hearth's library and for Apple's systems.
        case plist
        case json
    }

    @Option(help: ArgumentHelp("Kind of file: plist for Hearth's library and iOS, xml for Android."))
    var format: Format

    @Option(name: .shortAndLong, help: ArgumentHelp("Write it to this file.", valueName: "file"))
    var output: String?

    @OptionGroup var namespace: NamespaceOption
    @OptionGroup var admin: AdminOptions

    func validate() throws {
        guard !admin.json || output != nil || format == .json else {
            throw ValidationError(
                "--json and --format \(format.rawValue) exclude each other: what is printed is the file itself. Give "
                    + "--format json, or --output FILE to have a report of it as JSON.")
        }
    }

    func run() throws {
        let file = try output.map { try OutputFile($0) }
        var bytes = try admin.client().templateDefaults(namespace.namespace, format: format.rawValue.uppercased())
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        guard let file else { return Output.line(String(decoding: bytes, as: UTF8.self)) }
        try file.write(bytes + [UInt8(ascii: "\n")])
        try WrittenFile(file).tell(asJSON: admin.json)
    }
}

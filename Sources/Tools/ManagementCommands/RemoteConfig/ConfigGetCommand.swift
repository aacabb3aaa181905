import HearthAdmin
import HearthArguments
import HearthLocalCommands
import HearthWire

struct ConfigGetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Print the template as JSON, or write it to a file.",
        examples: [
            "hearth remoteconfig get --output template.json",
            "hearth remoteconfig get --version 2 > before.json",
        ])

    @Option(help: ArgumentHelp("Version to print. Default: the active one.", valueName: "number"))
    var version: Int64?

    @OptionGroup var file: OutputOption

    @OptionGroup var namespace: NamespaceOption
    @OptionGroup var admin: AdminOptions

    func validate() throws {
        if let version, version < 1 { throw ValidationError("Versions are numbered from 1.") }
    }

    func run() throws {
        let target = try file.target()
        let found = try admin.client().template(namespace.namespace, version: version)
        if found.version == 0 { Output.note("There is no template yet; this is an empty one.") }
        let bytes = admin.json ? try WireJSON.encode(found.template) : try WireJSON.encodePretty(found.template)
        guard let target else { return Output.line(String(decoding: bytes, as: UTF8.self)) }
        try target.write(bytes + [UInt8(ascii: "\n")])
        if !target.isStream { Output.success("Wrote version \(found.version) to \(target.path).") }
    }
}

struct ConfigDefaultsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "defaults",
        abstract: "Print the parameters' default values as a file to build into an app.",
        discussion: "Leaves out parameters whose default value is the app's own.",
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

    @OptionGroup var file: OutputOption

    @OptionGroup var namespace: NamespaceOption
    @OptionGroup var admin: AdminOptions

    func validate() throws {
        guard !admin.json || file.path != nil || format == .json else {
            throw ValidationError(
                "--json and --format \(format.rawValue) exclude each other: with --format the output is the content of the file. Give "
                    + "--format json, or --output FILE for a JSON report of it.")
        }
    }

    func run() throws {
        let target = try file.target()
        var bytes = try admin.client().templateDefaults(namespace.namespace, format: format.rawValue.uppercased())
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        guard let target else { return Output.line(String(decoding: bytes, as: UTF8.self)) }
        try target.write(bytes + [UInt8(ascii: "\n")])
        try OutputReport(target).print(asJSON: admin.json)
    }
}

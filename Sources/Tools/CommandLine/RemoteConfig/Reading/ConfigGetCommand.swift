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

    @Option(help: ArgumentHelp("This version. Default: the active one.", valueName: "number"))
    var version: Int64?

    @OptionGroup var file: OutputOption

    @OptionGroup var namespace: NamespaceOption
    @OptionGroup var admin: AdminOptions

    func validate() throws {
        if let version, version < 1 { throw ValidationError("Versions are numbered from 1 on.") }
    }

    func run() throws {
        let target = try file.target()
        let found = try admin.client().template(namespace.namespace, version: version)
        if found.version == 0 { Output.note("There is no template yet; this is an empty one.") }
        let bytes = admin.json ? try WireJSON.encode(found.template) : try PrettyJSON.encode(found.template)
        guard let target else { return Output.line(String(decoding: bytes, as: UTF8.self)) }
        try target.write(bytes + [UInt8(ascii: "\n")])
        if !target.isStream { Output.success("Wrote version \(found.version) to \(target.path).") }
    }
}

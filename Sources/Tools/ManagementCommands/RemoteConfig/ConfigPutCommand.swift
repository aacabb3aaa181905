import HearthAdmin
import HearthArguments
import HearthLocalCommands
import HearthRemoteConfigTemplates
import HearthWire

struct ConfigPutCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "put",
        renamed: ["--check": "--validate-only"],
        abstract: "Make a file the new version of the template, and show the changes.",
        discussion: """
            Replaces the active version. To make sure that no other change gets lost, give --if-version with the number of the \
            version that you read.
            """,
        examples: [
            "hearth remoteconfig put template.json --validate-only",
            "hearth remoteconfig put template.json --if-version 3 --description 'Longer greeting'",
        ])

    @Argument(help: "File with the template as JSON, as hearth remoteconfig get writes it; - for standard input.")
    var file: String

    @Flag(help: "Validate the template and show the changes, without making a version.")
    var validateOnly = false

    @Option(
        help: ArgumentHelp(
            "Change the template only if this version is active; 0 if there is none yet.", valueName: "number"))
    var ifVersion: Int64?

    @Flag(help: "Replace the active version, whatever other changes it has.")
    var force = false

    @Option(help: ArgumentHelp("Description of the new version, for the list of versions.", valueName: "text"))
    var description: String?

    @OptionGroup var namespace: NamespaceOption
    @OptionGroup var admin: AdminOptions

    func validate() throws {
        if let ifVersion, ifVersion < 0 { throw ValidationError("Versions are numbered from 1.") }
        guard !force || ifVersion == nil else { throw ValidationError("Give --force or --if-version, not both.") }
    }

    func run() throws {
        let template = try Self.template(in: file, description: description)
        let client = try admin.client()
        let change = TemplateChange(client: client, namespace: namespace, admin: admin)
        let present = try client.template(namespace.namespace)
        let ifMatch = force ? "*" : ifVersion.map(present.etag(ofVersion:)) ?? present.etag
        let difference = TemplateDifference(from: present.template, to: template)
        do {
            if validateOnly {
                return try report(change.put(template, ifMatch: ifMatch, validateOnly: true), difference, present)
            }
            // The version from the command line is compared with the active one, even if nothing else changes.
            guard !difference.isEmpty || ifVersion ?? present.version != present.version else {
                return try change.reportUnchanged(present)
            }
            try change.report(change.put(template, ifMatch: ifMatch), difference, before: present)
        } catch let error as AdminError where error.status == 412 {
            throw CommandFailure(
                "Nothing was changed: the template was changed meanwhile (version \(present.version) or a later one is "
                    + "active). Read it with hearth remoteconfig get\(namespace.suggestion), and try again.",
                cause: error)
        }
    }

    private func report(
        _ checked: FetchedTemplate, _ difference: TemplateDifference, _ present: FetchedTemplate
    ) throws {
        TemplateChange.warn(of: checked, since: present)
        if admin.json { return try Output.json(checked.template) }
        for line in difference.lines { Output.line(line) }
        Output.line(
            difference.isEmpty
                ? "The template is valid, and is already active." : "The template is valid. Nothing was changed.")
    }

    /// The template to send. A file from `get` contains its old version, whose description does not belong to the new one.
    static func template(in file: String, description: String?) throws(CommandFailure) -> RemoteConfigTemplate {
        let read = try JSONFile<RemoteConfigTemplate>(file, what: "a Remote Config template")
        do throws(TemplateError) {
            try TemplateFieldCheck.check(read.bytes)
        } catch {
            throw CommandFailure(
                "\(file) is not a Remote Config template: \(error.path): \(error.message)", cause: error)
        }
        var template = read.value
        let written = template.version?.versionNumber == nil ? template.version?.description : nil
        template.version = (description ?? written).map { RemoteConfigVersion(description: $0) }
        return template
    }
}

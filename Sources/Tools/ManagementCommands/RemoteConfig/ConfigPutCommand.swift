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

/// How commands change a template, and report the result.
struct TemplateChange {
    let client: AdminClient
    let namespace: NamespaceOption
    let admin: AdminOptions

    /// - Parameter ifMatch: the tag of the version that the user has seen, or `*`.
    /// - Throws: `AdminError`. For an invalid condition, first shows the wrong character on standard error.
    func put(
        _ template: RemoteConfigTemplate, ifMatch: String, validateOnly: Bool = false
    ) throws(AdminError) -> FetchedTemplate {
        do throws(AdminError) {
            return try client.putTemplate(template, namespace.namespace, ifMatch: ifMatch, validateOnly: validateOnly)
        } catch {
            if error.status == 400, let mark = ConditionErrorText.text(in: template) { Output.note(mark) }
            throw error
        }
    }

    /// Changes the active template. Tries once more if another user changed it meanwhile.
    func edit(_ change: (inout RemoteConfigTemplate) throws -> Void) throws {
        var attempt = 1
        while true {
            let present = try client.template(namespace.namespace)
            var template = present.template
            try change(&template)
            template.version = nil
            let difference = TemplateDifference(from: present.template, to: template)
            guard !difference.isEmpty else { return try reportUnchanged(present) }
            do {
                return try report(put(template, ifMatch: present.etag), difference, before: present)
            } catch let error as AdminError where error.status == 412 && attempt < Self.attemptLimit {
                attempt += 1
            }
        }
    }

    private static let attemptLimit = 5

    func reportUnchanged(_ present: FetchedTemplate) throws {
        if admin.json { return try Output.json(present.template) }
        Output.line("Nothing changed: version \(present.version) is already like that.")
    }

    static func warn(of made: FetchedTemplate, since before: FetchedTemplate) {
        for warning in made.template.warnings(since: before.template) { Output.note("warning: \(warning.printable)") }
    }

    func report(_ made: FetchedTemplate, _ difference: TemplateDifference, before: FetchedTemplate) throws {
        Self.warn(of: made, since: before)
        if admin.json { return try Output.json(made.template) }
        for line in difference.lines { Output.line(line) }
        let back =
            before.version == 0
            ? "" : " To undo it: hearth remoteconfig rollback \(before.version)\(namespace.suggestion)"
        Output.success("Made version \(made.version).\(back)")
    }
}

import HearthAdmin
import HearthArguments
import HearthLocalCommands
import HearthRemoteConfigTemplates
import HearthWire

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

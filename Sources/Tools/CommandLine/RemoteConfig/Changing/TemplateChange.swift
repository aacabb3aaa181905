import HearthLocalCommands
import HearthWire

/// How commands change a template, and report what became of it.
struct TemplateChange {
    let client: AdminClient
    let namespace: NamespaceOption
    let admin: AdminOptions

    /// - Parameter shown: the tag of the version that was looked at, or `*`.
    /// - Throws: `AdminRefusal`; where a condition cannot be read, after showing the character on standard error.
    func put(_ template: ConfigTemplate, shown: String, isCheck: Bool = false) throws -> FetchedTemplate {
        do {
            return try client.putTemplate(template, namespace.namespace, shown: shown, isCheck: isCheck)
        } catch let refusal as AdminRefusal {
            if refusal.status == 400, let mark = ConditionMark.text(in: template) { Output.note(mark) }
            throw refusal
        }
    }

    /// Changes the active template, once more where somebody else did so meanwhile.
    func edit(_ change: (inout ConfigTemplate) throws -> Void) throws {
        var attempt = 1
        while true {
            let present = try client.template(namespace.namespace)
            var template = present.template
            try change(&template)
            template.version = nil
            let difference = TemplateDifference(from: present.template, to: template)
            guard !difference.isEmpty else { return try reportNothing(present) }
            do {
                return try report(put(template, shown: present.etag), difference, before: present)
            } catch let refusal as AdminRefusal where refusal.status == 412 && attempt < Self.attemptLimit {
                attempt += 1
            }
        }
    }

    private static let attemptLimit = 5

    func reportNothing(_ present: FetchedTemplate) throws {
        if admin.json { return try Output.json(present.template) }
        Output.line("Nothing changed: it is so already in version \(present.version).")
    }

    func report(_ made: FetchedTemplate, _ difference: TemplateDifference, before: FetchedTemplate) throws {
        if admin.json { return try Output.json(made.template) }
        for line in difference.lines { Output.line(line) }
        let back =
            before.version == 0
            ? "" : " To go back: hearth remoteconfig rollback \(before.version)\(namespace.suggestion)"
        Output.success("Made version \(made.version).\(back)")
    }
}

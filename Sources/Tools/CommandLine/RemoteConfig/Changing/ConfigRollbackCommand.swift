import HearthArguments
import HearthLocalCommands

struct ConfigRollbackCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollback", abstract: "Make a new version of the template with the content of an old one.",
        examples: ["hearth remoteconfig rollback 2"])

    @Argument(help: "Number of the version whose content comes back.")
    var version: Int64

    @OptionGroup var namespace: NamespaceOption
    @OptionGroup var admin: AdminOptions

    func validate() throws {
        guard version >= 1 else { throw ValidationError("Versions are numbered from 1 on.") }
    }

    func run() throws {
        let client = try admin.client()
        let present = try client.template(namespace.namespace)
        let made = try client.rollBackTemplate(namespace.namespace, to: version)
        try TemplateChange(client: client, namespace: namespace, admin: admin).report(
            made, TemplateDifference(from: present.template, to: made.template), before: present)
    }
}

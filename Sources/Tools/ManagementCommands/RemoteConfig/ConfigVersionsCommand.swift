import HearthAdmin
import HearthArguments
import HearthLocalCommands
import HearthRemoteConfigTemplates
import HearthWire

struct ConfigVersionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "versions", abstract: "List the template's versions, newest first, with their authors and times.",
        examples: ["hearth remoteconfig versions --limit 5"])

    @Option(help: ArgumentHelp("Maximum number of versions.", valueName: "count"))
    var limit = 20

    @OptionGroup var namespace: NamespaceOption
    @OptionGroup var tables: TableOption
    @OptionGroup var admin: AdminOptions

    func validate() throws {
        guard limit >= 1 else { throw ValidationError("--limit must be 1 or more.") }
    }

    func run() throws {
        let client = try admin.client()
        let versions = try client.templateVersions(namespace.namespace, limit: limit)
        if admin.json { return try Output.json(["versions": versions]) }
        guard !versions.isEmpty else {
            return Output.line(
                "There is no template yet. Try: hearth remoteconfig set KEY VALUE\(namespace.suggestion)")
        }
        Output.line(Self.table(versions, project: try client.project()).text(width: tables.width))
    }

    /// - Parameter project: the project of the template.
    static func table(_ versions: [RemoteConfigVersion], project: String? = nil) -> TextTable {
        var table = TextTable([
            .number("VERSION"), .text("CREATED (UTC)", dropOrder: 1), .text("BY", dropOrder: 2, isTruncatable: true),
            "KIND",
            .text("DESCRIPTION", isTruncatable: true),
        ])
        for version in versions {
            table.append([
                version.versionNumber ?? "", TimeArgument.short(version.updateTime),
                version.updateUser?.email.map { ServiceAccountName.short($0, project: project) } ?? version.updateUser?
                    .name
                    ?? "",
                kind(version), version.description ?? "",
            ])
        }
        return table
    }

    private static func kind(_ version: RemoteConfigVersion) -> String {
        switch version.updateType {
        case "ROLLBACK": "rollback\(version.rollbackSource.map { " to \($0)" } ?? "")"
        case "FORCED_UPDATE": "forced"
        default: "change"
        }
    }
}

struct ConfigRollbackCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollback", abstract: "Make a new version of the template with the content of an old one.",
        examples: ["hearth remoteconfig rollback 2"])

    @Argument(help: "Number of the version to restore.")
    var version: Int64

    @OptionGroup var namespace: NamespaceOption
    @OptionGroup var admin: AdminOptions

    func validate() throws {
        guard version >= 1 else { throw ValidationError("Versions are numbered from 1.") }
    }

    func run() throws {
        let client = try admin.client()
        let present = try client.template(namespace.namespace)
        let made = try client.rollBackTemplate(namespace.namespace, to: version)
        try TemplateChange(client: client, namespace: namespace, admin: admin).report(
            made, TemplateDifference(from: present.template, to: made.template), before: present)
    }
}

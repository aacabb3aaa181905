import HearthArguments
import HearthLocalCommands
import HearthWire

struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "Show who changed what and when, newest first.")

    @Option(help: ArgumentHelp("Show so many changes at most.", valueName: "count"))
    var limit = 50

    @Flag(help: "Changes in all projects and of the server itself.")
    var allProjects = false

    @OptionGroup var admin: AdminOptions

    func validate() throws {
        guard limit >= 1 else { throw ValidationError("--limit must be 1 or more.") }
        guard !allProjects || admin.project == nil else {
            throw ValidationError("--all-projects and --project exclude each other.")
        }
    }

    func run() throws {
        let client = try admin.client()
        let entries = try client.audit(project: allProjects ? nil : client.project(), limit: limit)
        if admin.json { return try Output.json(AuditBodies.List(entries: entries, nextPageToken: nil)) }
        guard !entries.isEmpty else { return Output.line("Nothing was changed yet.") }
        var table = TextTable(["TIME (UTC)", "PROJECT", "WHO", "ACTION", "SUBJECT", "DETAIL"])
        for entry in entries {
            table.append([
                String(entry.time.prefix(19)).replacing("T", with: " "), entry.projectId ?? "-", entry.actor,
                entry.action, entry.subject, entry.detail ?? "",
            ])
        }
        Output.line(table.description)
    }
}

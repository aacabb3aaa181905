import HearthAdmin
import HearthArguments
import HearthCalls
import HearthLocalCommands
import HearthWire

struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Show who changed what and when, and which changes the server refused. Newest first.",
        discussion:
            "On a terminal each entry has one line, cut to the width. A file, --wide and --json have all of it.",
        examples: [
            "hearth admin audit --limit 20",
            "hearth admin audit --model flowers --since 7d --json",
        ])

    @Option(help: ArgumentHelp("Maximum number of entries.", valueName: "count"))
    var limit = 50

    @Option(help: ArgumentHelp("Only entries of this account (email or name) or token (id or name).", valueName: "who"))
    var actor: String?

    @Option(
        help: ArgumentHelp(
            "Only this action, such as model.publish, or this kind, such as model. Refused changes: access.refuse.",
            valueName: "action"))
    var action: String?

    @Option(help: ArgumentHelp("Only entries about this model; it may be deleted.", valueName: "name"))
    var model: String?

    @Option(
        help: ArgumentHelp(
            "Only entries from this time on: 2026-12-01T09:00Z, or 7d for seven days ago.", valueName: "time"))
    var since: PastTimeArgument?

    @Option(help: ArgumentHelp("Only entries before this time.", valueName: "time"))
    var until: PastTimeArgument?

    @Flag(help: "Show entries of all projects and of the server itself.")
    var allProjects = false

    @OptionGroup var tables: TableOption
    @OptionGroup var admin: AdminOptions

    func validate() throws {
        guard limit >= 1 else { throw ValidationError("--limit must be 1 or more.") }
        guard !allProjects || admin.project == nil else {
            throw ValidationError("Give --all-projects or --project, not both.")
        }
    }

    func run() throws {
        let client = try admin.client()
        let filter = AdminClient.AuditFilter(
            actor: actor, action: action, model: model, startTime: since?.wire, endTime: until?.wire)
        let project = try allProjects ? nil : client.project()
        let entries = try client.auditEntries(ofProject: project, filter: filter, limit: limit)
        if admin.json { return try Output.json(AuditBodies.List(entries: entries, nextPageToken: nil)) }
        guard !entries.isEmpty else {
            return Output.line(
                filter == AdminClient.AuditFilter() ? "The audit log is empty." : "No entry of the audit log matches.")
        }
        let table = AuditText(entries: entries, hasProjects: allProjects)
        Output.line(table.text(width: tables.width))
    }
}

/// A time in the past: `2026-12-01T09:00Z`, or `7d` for seven days ago.
struct PastTimeArgument: ExpressibleByArgument, ValueExpectation {
    static let expectation = "a time such as 2026-12-01T09:00Z, or 7d for seven days ago"

    let time: Timestamp

    init?(argument: String) { self.init(argument, now: .now) }

    init?(_ text: String, now: Timestamp) {
        if let seconds = DurationArgument.seconds(text[...]) {
            time = now.adding(seconds: -seconds)
        } else if let moment = TimeArgument.parse(text, now: now) {
            time = moment
        } else {
            return nil
        }
    }

    var wire: String { TimeArgument.wire(time) }
}

/// The audit log as a table, with names instead of ids where there is a name.
struct AuditText {
    let entries: [AuditBodies.Entry]
    /// Whether the entries are from several projects.
    let hasProjects: Bool

    /// - Parameter width: of the terminal; nil shows all, as for a file.
    func text(width: Int?) -> String {
        var table = TextTable(
            ["TIME (UTC)"] + (hasProjects ? [.text("PROJECT", dropOrder: 2)] : [])
                + [
                    .text("WHO", dropOrder: 1, isTruncatable: true), "ACTION", .text("WHAT", isTruncatable: true),
                    .text("DETAIL", dropOrder: 3, isTruncatable: true),
                ])
        for entry in entries {
            table.append(
                [TimeArgument.short(entry.time)]
                    + (hasProjects ? [entry.projectId ?? "-"] : [])
                    + [who(entry), entry.action, what(entry), entry.detail ?? ""])
        }
        return table.text(width: width)
    }

    private func who(_ entry: AuditBodies.Entry) -> String {
        entry.actorName.map { "token \($0)" } ?? ServiceAccountName.short(entry.actor, project: entry.projectId)
    }

    private func what(_ entry: AuditBodies.Entry) -> String {
        let subject = entry.subject
        // An uploaded file. The details have its hash.
        if subject.hasPrefix("gs://") { return "file \(subject.split(separator: "/").last ?? "")" }
        let parts = subject.split(separator: "/", maxSplits: 1).map(String.init)
        guard parts.count == 2, let kind = Self.kinds[parts[0]] else { return subject }
        return "\(kind) \(entry.subjectName ?? ServiceAccountName.short(parts[1], project: entry.projectId))"
    }

    private static let kinds = [
        "models": "model", "apiKeys": "API key", "adminTokens": "token", "serviceAccounts": "account",
        "projects": "project", "files": "file",
    ]
}

import HearthArguments
import HearthLocalCommands
import HearthWire

/// The audit log for people to read: names instead of ids where something has one.
struct AuditTable {
    let entries: [AuditBodies.Entry]
    /// Whether the entries are of several projects.
    let hasProjects: Bool

    /// - Parameter width: of the terminal; nil shows all, as for a file.
    func text(width: Int?) -> String {
        var table = TextTable(
            ["TIME (UTC)"] + (hasProjects ? [.text("PROJECT", yields: 2)] : [])
                + [
                    .text("WHO", yields: 1, shrinks: true), "ACTION", .text("WHAT", shrinks: true),
                    .text("DETAIL", yields: 3, shrinks: true),
                ])
        for entry in entries {
            table.append(
                [Moment.short(entry.time)]
                    + (hasProjects ? [entry.projectId ?? "-"] : [])
                    + [who(entry), entry.action, what(entry), entry.detail ?? ""])
        }
        return table.text(width: width)
    }

    private func who(_ entry: AuditBodies.Entry) -> String {
        entry.actorName.map { "token \($0)" } ?? AccountName.short(entry.actor, project: entry.projectId)
    }

    private func what(_ entry: AuditBodies.Entry) -> String {
        let subject = entry.subject
        // An uploaded file: its hash is among the details.
        if subject.hasPrefix("gs://") { return "file \(subject.split(separator: "/").last ?? "")" }
        let parts = subject.split(separator: "/", maxSplits: 1).map(String.init)
        guard parts.count == 2, let kind = Self.kinds[parts[0]] else { return subject }
        return "\(kind) \(entry.subjectName ?? AccountName.short(parts[1], project: entry.projectId))"
    }

    private static let kinds = [
        "models": "model", "apiKeys": "API key", "adminTokens": "token", "serviceAccounts": "account",
        "projects": "project", "files": "file",
    ]
}
